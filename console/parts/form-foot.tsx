import type { ReactNode } from 'react';
import { ErrorNote } from './notes.tsx';

/** What ends a form in a dialog: why it was refused, the safe button, and the one with the act's name. */
export function FormFoot({
  error,
  isPending,
  verb,
  onClose,
  children,
}: {
  readonly error: unknown;
  readonly isPending: boolean;
  readonly verb: string;
  readonly onClose: () => void;
  /** Other acts, at the left. */
  readonly children?: ReactNode;
}) {
  return (
    <>
      {error !== null && <ErrorNote error={error} />}
      <div className="dialog-foot">
        {children !== undefined && (
          <>
            {children}
            <span className="grow" />
          </>
        )}
        <button type="button" className="button" onClick={onClose}>
          Leave it
        </button>
        <button type="submit" className="button primary" disabled={isPending}>
          {verb}
        </button>
      </div>
    </>
  );
}
