import { CircleAlert, Inbox, Lock, RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { MillraceError } from '../../src/client/index.ts';

/** What went wrong, with what would have been allowed, and a way to try again. */
export function ErrorNote({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
}) {
  const known = error instanceof MillraceError ? error : null;
  if (known?.code === 'FORBIDDEN') return <Forbidden what={known.message} />;
  return (
    <div className="note bad" role="alert">
      <CircleAlert aria-hidden="true" size={18} />
      <div>
        <p>{known?.message ?? (error instanceof Error ? error.message : String(error))}</p>
        <p className="muted small">
          {known !== null && <code>{known.code}</code>}
          {known?.field != null && <> at {known.field}</>}
          {known?.allowed != null && <>; allowed: {known.allowed}</>}
          {known?.requestId != null && (
            <>
              {' '}
              request <code>{known.requestId}</code>
            </>
          )}
        </p>
        {known !== null && known.problems.length > 0 && (
          <ul>
            {known.problems.map(({ field, message }) => (
              <li key={field}>
                <code>{field}</code> {message}
              </li>
            ))}
          </ul>
        )}
      </div>
      {onRetry !== undefined && (
        <button type="button" className="button small" onClick={onRetry}>
          <RefreshCw aria-hidden="true" size={14} /> Try again
        </button>
      )}
    </div>
  );
}

export function Forbidden({ what }: { readonly what: string }) {
  return (
    <div className="empty">
      <Lock aria-hidden="true" size={28} />
      <h2>You may not see this</h2>
      <p>{what}</p>
    </div>
  );
}

export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="empty">
      <Inbox aria-hidden="true" size={28} />
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** A page whose data is on the way: its heading is there from the beginning. */
export function LoadingPage({ title }: { readonly title: string }) {
  return (
    <div className="stack">
      <header className="head">
        <h1>{title}</h1>
      </header>
      <Skeleton rows={8} />
    </div>
  );
}

/** Rows of the height of what is coming; shown only if that takes a moment. */
export function Skeleton({ rows = 6 }: { readonly rows?: number }) {
  return (
    <div className="skeleton" aria-busy="true">
      <span className="visually-hidden" role="status">
        Loading
      </span>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike and never move
        <span key={index} />
      ))}
    </div>
  );
}
