import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { ErrorNote } from './notes.tsx';

/**
 * Asks before what cannot be undone, or reaches far: the act's name is on its button, and the focus on the
 * other one.
 */
export function Confirm({
  title,
  verb,
  isDangerous = true,
  isPending,
  error,
  onConfirm,
  onClose,
  children,
}: {
  readonly title: string;
  readonly verb: string;
  readonly isDangerous?: boolean | undefined;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="stack">
        {children}
        {error !== null && <ErrorNote error={error} />}
      </div>
      <div className="dialog-foot">
        <button type="button" className="button" data-first onClick={onClose}>
          Leave it
        </button>
        <button
          type="button"
          className={isDangerous ? 'button danger' : 'button primary'}
          disabled={isPending}
          onClick={onConfirm}
        >
          {verb}
        </button>
      </div>
    </Dialog>
  );
}
