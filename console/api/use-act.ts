import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '../parts/toasts.tsx';

/** Marks a query that a stream keeps current: an action does not make it read again. */
export const LIVE = { isLive: true } as const;

/** An act that changes what pages show: those read again once it is done that no stream keeps current. */
export function useAct<Input, Result>(
  act: (input: Input) => Promise<Result>,
  { says, onDone }: { readonly says?: string; readonly onDone?: (result: Result) => void } = {},
): UseMutationResult<Result, unknown, Input> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: (result) => {
      if (says !== undefined) toast(says);
      void queries.invalidateQueries({ predicate: ({ meta }) => meta?.['isLive'] !== true });
      onDone?.(result);
    },
  });
}
