'use client';

import { useMemo } from 'react';
import type { NodeState, Video } from '../client/index.ts';
import { IDLE } from '../client/status.ts';
import { type HookConnection, useNode } from './use-node.ts';
import type { ViewKind } from './use-view.ts';

export interface UseVideo extends HookConnection {
  /** Undefined before it has come, null once it was deleted. */
  readonly video: Video | null | undefined;
}

const VIDEO: ViewKind<NodeState<Video>> = {
  name: 'video',
  idle: { value: undefined, connection: IDLE },
  open: (client, id) => client.viewVideo(id),
};

/**
 * A video and the work on it, live. @param id its global id or UUID; with null there is nothing to watch yet
 */
export function useVideo(id: string | null | undefined): UseVideo {
  const { value: video, connection, error, reopen } = useNode(VIDEO, id);
  return useMemo(() => ({ video, connection, error, reopen }), [video, connection, error, reopen]);
}
