import type { ReactNode } from 'react';
import { Empty, ErrorNote, Skeleton } from './notes.tsx';

/**
 * What stands in place of a list's rows: an error, rows on the way, none that match, none at all. Null when
 * there are rows.
 */
export function ListStates({
  error,
  onRetry,
  count,
  noneMatches,
  onClear,
  children,
}: {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
  /** Rows; undefined before they are known. */
  readonly count: number | undefined;
  /** "No schedule matches". */
  readonly noneMatches: string;
  /** Clears the filter; null where there is none. */
  readonly onClear: (() => void) | null;
  /** For a list without any. */
  readonly children: ReactNode;
}) {
  return (
    <>
      {error != null && <ErrorNote error={error} onRetry={onRetry} />}
      {count === undefined && error == null && <Skeleton />}
      {count === 0 && onClear === null && children}
      {count === 0 && onClear !== null && (
        <Empty title={noneMatches}>
          <button type="button" className="button small" onClick={onClear}>
            Clear the filter
          </button>
        </Empty>
      )}
    </>
  );
}
