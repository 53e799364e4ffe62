import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';

/** What has the focus at first: the button that is marked for it, or the first field. */
const FIRST = '[data-first], input:not([type=checkbox]), select, textarea';

/**
 * A modal dialog. The browser's own: it holds the focus, closes on Escape and needs no styles at run time.
 */
export function Dialog({
  title,
  onClose,
  children,
  className = '',
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly className?: string;
}) {
  const place = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    place.current?.showModal();
    // Not on the button that closes it, which is the first one: where one goes on, or what is safe.
    place.current?.querySelector<HTMLElement>(FIRST)?.focus();
    return () => before?.focus?.();
  }, []);
  return (
    <dialog ref={place} className={`dialog ${className}`} aria-labelledby={id} onClose={onClose}>
      <header className="dialog-head">
        <h2 id={id}>{title}</h2>
        <button
          type="button"
          className="icon-button"
          aria-label="Close"
          onClick={() => place.current?.close()}
        >
          <X aria-hidden="true" size={18} />
        </button>
      </header>
      {children}
    </dialog>
  );
}
