import type { ReactNode } from 'react';
import { Empty, ErrorNote, Skeleton } from './notes.tsx';

/** What narrows a list, by names as people know them; undefined and empty texts narrow nothing. */
export type ShownFilter = Readonly<Record<string, string | undefined>>;

/**
 * What stands in place of a list's rows: an error, rows on the way, none that match, none at all. Null when
 * there are rows.
 */
export function ListStates({
  error,
  onRetry,
  count,
  noneMatches,
  filter = {},
  onClear,
  children,
}: {
  readonly error: unknown;
  readonly onRetry: () => void;
  /** Rows; undefined before they are known. */
  readonly count: number | undefined;
  /** "No schedule matches". */
  readonly noneMatches?: string;
  readonly filter?: ShownFilter;
  readonly onClear?: () => void;
  /** For a list without any. */
  readonly children: ReactNode;
}) {
  const chips = Object.entries(filter).filter(([, value]) => value !== undefined && value !== '');
  return (
    <>
      {error != null && <ErrorNote error={error} onRetry={onRetry} />}
      {count === undefined && error == null && <Skeleton />}
      {count === 0 && chips.length === 0 && children}
      {count === 0 && chips.length > 0 && (
        <Empty title={noneMatches ?? 'Nothing matches'}>
          <Chips chips={chips} />
          <button type="button" className="button small" onClick={onClear}>
            Clear the filter
          </button>
        </Empty>
      )}
    </>
  );
}

function Chips({ chips }: { readonly chips: readonly (readonly [string, string | undefined])[] }) {
  return (
    <p className="row chips">
      {chips.map(([name, value]) => (
        <span key={name} className="chip">
          {name}: {value}
        </span>
      ))}
    </p>
  );
}
