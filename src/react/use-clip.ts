'use client';

import { useMemo } from 'react';
import type { Clip, MillraceError, NodeState, WatchState } from '../client/index.ts';
import { IDLE } from '../client/status.ts';
import { useView, type ViewKind } from './use-view.ts';

export interface UseClip {
  /** Undefined before it has come, null once it was deleted. */
  readonly clip: Clip | null | undefined;
  readonly connection: WatchState;
  /** Why the connection waits, or why it has ended. */
  readonly error: MillraceError | null;
}

const CLIP: ViewKind<NodeState<Clip>> = {
  name: 'clip',
  idle: { value: undefined, connection: IDLE },
  open: (client, id) => client.viewClip(id),
};

/** A clip, live. @param id its global id or UUID; with null there is nothing to watch yet */
export function useClip(id: string | null | undefined): UseClip {
  const state = useView(CLIP, id ?? null);
  return useMemo(
    () => ({ clip: state.value, connection: state.connection.state, error: state.connection.error }),
    [state],
  );
}
