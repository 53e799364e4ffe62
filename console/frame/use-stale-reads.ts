import { notifyManager, type Query, type QueryCache, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useSyncExternalStore } from 'react';

export interface StaleReads {
  /** When the oldest of what is shown was read, milliseconds since 1970. */
  readonly asOfMs: number;
  readonly error: unknown;
  readAgain(): void;
}

/**
 * What the page shows although it could not be read again; null while all is current. Live lists are the
 * connection's matter.
 */
export function useStaleReads(): StaleReads | null {
  const queries = useQueryClient();
  const cache = queries.getQueryCache();
  const before = useRef<readonly Query[]>([]);
  const stale = useSyncExternalStore(
    useCallback((listener: () => void) => cache.subscribe(notifyManager.batchCalls(listener)), [cache]),
    () => {
      const now = staleOf(cache);
      const isSame =
        now.length === before.current.length && now.every((each, index) => each === before.current[index]);
      if (!isSame) before.current = now;
      return before.current;
    },
  );
  return useMemo(() => {
    const [first] = stale;
    if (first === undefined) return null;
    return {
      asOfMs: Math.min(...stale.map(({ state }) => state.dataUpdatedAt)),
      error: first.state.error,
      readAgain: () => {
        for (const each of stale) void queries.refetchQueries({ queryKey: each.queryKey, exact: true });
      },
    };
  }, [stale, queries]);
}

function staleOf(cache: QueryCache): readonly Query[] {
  return cache
    .findAll({ type: 'active', predicate: ({ meta }) => meta?.['isLive'] !== true })
    .filter(({ state }) => state.data !== undefined && state.errorUpdateCount > 0 && state.error !== null);
}
