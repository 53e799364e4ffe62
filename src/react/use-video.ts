'use client';

import { useMemo } from 'react';
import type { MillraceError, NodeState, Video, WatchState } from '../client/index.ts';
import { IDLE } from '../client/status.ts';
import { useView, type ViewKind } from './use-view.ts';

export interface UseVideo {
  /** Undefined before it has come, null once it was deleted. */
  readonly video: Video | null | undefined;
  readonly connection: WatchState;
  /** Why the connection waits, or why it has ended. */
  readonly error: MillraceError | null;
}

const VIDEO: ViewKind<NodeState<Video>> = {
  name: 'video',
  idle: { value: undefined, connection: IDLE },
  open: (client, id) => client.viewVideo(id),
};

/** A video and the work on it, live. @param id its global id or UUID; with null there is nothing to watch yet */
export function useVideo(id: string | null | undefined): UseVideo {
  const state = useView(VIDEO, id ?? null);
  return useMemo(
    () => ({ video: state.value, connection: state.connection.state, error: state.connection.error }),
    [state],
  );
}
