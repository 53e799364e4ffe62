'use client';

import { useMemo } from 'react';
import type { MillraceError, NodeState, WatchState } from '../client/index.ts';
import { useReopen, useView, type ViewKind } from './use-view.ts';

/** How a hook's connection stands. */
export interface HookConnection {
  readonly connection: WatchState;
  /** Why the connection waits, or why it has ended: `NOT_FOUND`, `UNAUTHENTICATED` … */
  readonly error: MillraceError | null;
  /** Opens the stream again from its beginning, for one that has ended. */
  readonly reopen: () => void;
}

/** One thing, live. @param id its global id or UUID; with null there is nothing to watch yet */
export function useNode<Value>(
  kind: ViewKind<NodeState<Value>>,
  id: string | null | undefined,
): HookConnection & { readonly value: Value | null | undefined } {
  const state = useView(kind, id ?? null);
  const reopen = useReopen(kind as ViewKind<never>, id ?? null);
  return useMemo(
    () => ({ value: state.value, connection: state.connection.state, error: state.connection.error, reopen }),
    [state, reopen],
  );
}
