import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Operation } from '../../src/client/operation.ts';
import { useMillrace } from '../../src/react/index.ts';
import { run } from './run.ts';

/** What a page has read, or why it has nothing. */
export interface Read<Result> {
  readonly data: Result | undefined;
  /**
   * Null as long as there is something to show: that it is old is said once for the whole page
   * (frame/stale.tsx).
   */
  readonly error: unknown;
  readonly isPending: boolean;
  refetch(): Promise<unknown>;
}

/** A query as pages show it: what was read stays when it cannot be read again. */
export function kept<Result>({
  data,
  error,
  isPending,
  refetch,
}: Pick<UseQueryResult<Result, unknown>, 'data' | 'error' | 'isPending' | 'refetch'>): Read<Result> {
  return { data, error: data === undefined ? error : null, isPending, refetch };
}

/**
 * A query of the API, read again every `refreshMs` while its page is shown, and again when that ends:
 * what ended it may have changed since the last reading.
 */
export function useOperation<Result, Variables extends object>(
  operation: Operation<Result, Variables>,
  variables: Variables,
  { refreshMs = false, isOn = true }: { readonly refreshMs?: number | false; readonly isOn?: boolean } = {},
): Read<Result> {
  const client = useMillrace();
  const query = useQuery<Result>({
    queryKey: [operation.name, variables],
    queryFn: ({ signal }) => run(client, operation, variables, signal),
    refetchInterval: refreshMs,
    enabled: isOn,
    placeholderData: keepPreviousData,
  });
  const { refetch } = query;
  const isRefreshed = refreshMs !== false;
  const wasRefreshed = useRef(isRefreshed);
  useEffect(() => {
    if (wasRefreshed.current && !isRefreshed && isOn) void refetch();
    wasRefreshed.current = isRefreshed;
  }, [isRefreshed, isOn, refetch]);
  return kept<Result>(query);
}
