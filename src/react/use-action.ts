'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { MillraceError } from '../client/index.ts';

/** A call that a component makes, as it shows it. */
export interface ActionState<Result> {
  /** The result of the last call that succeeded. */
  readonly result: Result | undefined;
  readonly isPending: boolean;
  /** The error of the last call, when it failed. */
  readonly error: MillraceError | null;
}

const IDLE_ACTION = { result: undefined, isPending: false, error: null } as const;

/**
 * Runs one call at a time: the next one aborts the one before, and so does the end of the component.
 * @returns the state; `run`, which gives the result, or undefined when the call failed or was aborted;
 *   `reset` aborts and forgets
 */
export function useAction<Result>(): {
  readonly state: ActionState<Result>;
  run(call: (signal: AbortSignal) => Promise<Result>): Promise<Result | undefined>;
  reset(): void;
} {
  const [state, setState] = useState<ActionState<Result>>(IDLE_ACTION);
  const current = useRef<AbortController | null>(null);
  const stop = useCallback((): void => {
    current.current?.abort();
    current.current = null;
  }, []);
  const run = useCallback(
    async (call: (signal: AbortSignal) => Promise<Result>): Promise<Result | undefined> => {
      stop();
      const own = new AbortController();
      current.current = own;
      setState((before) => ({ ...before, isPending: true, error: null }));
      try {
        const result = await call(own.signal);
        if (current.current !== own) return undefined;
        setState({ result, isPending: false, error: null });
        return result;
      } catch (thrown) {
        if (current.current !== own) return undefined;
        const error = thrown instanceof MillraceError ? thrown : new MillraceError('NETWORK', String(thrown));
        setState((before) => ({ ...before, isPending: false, error }));
        return undefined;
      }
    },
    [stop],
  );
  const reset = useCallback((): void => {
    stop();
    setState(IDLE_ACTION);
  }, [stop]);
  useEffect(() => stop, [stop]);
  return { state, run, reset };
}
