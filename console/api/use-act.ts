import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '../parts/toasts.tsx';

/** An act that changes what pages show: all of them read again once it is done. */
export function useAct<Input, Result>(
  act: (input: Input) => Promise<Result>,
  { says, onDone }: { readonly says?: string; readonly onDone?: (result: Result) => void } = {},
): UseMutationResult<Result, unknown, Input> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: (result) => {
      if (says !== undefined) toast(says);
      void queries.invalidateQueries();
      onDone?.(result);
    },
  });
}
