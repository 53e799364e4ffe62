import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Operation } from '../../src/client/operation.ts';
import { useMillrace } from '../../src/react/index.ts';
import { run } from './run.ts';

/** A query of the API, read again every `refreshMs` while its page is shown. */
export function useOperation<Result, Variables extends object>(
  operation: Operation<Result, Variables>,
  variables: Variables,
  { refreshMs = false, isOn = true }: { readonly refreshMs?: number | false; readonly isOn?: boolean } = {},
): UseQueryResult<Result> {
  const client = useMillrace();
  return useQuery({
    queryKey: [operation.name, variables],
    queryFn: ({ signal }) => run(client, operation, variables, signal),
    refetchInterval: refreshMs,
    enabled: isOn,
    placeholderData: (before) => before,
  });
}
