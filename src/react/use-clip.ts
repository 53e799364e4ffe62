'use client';

import { useMemo } from 'react';
import type { Clip, NodeState } from '../client/index.ts';
import { IDLE } from '../client/status.ts';
import { type HookConnection, useNode } from './use-node.ts';
import type { ViewKind } from './use-view.ts';

export interface UseClip extends HookConnection {
  /** Undefined before it has come, null once it was deleted. */
  readonly clip: Clip | null | undefined;
}

const CLIP: ViewKind<NodeState<Clip>> = {
  name: 'clip',
  idle: { value: undefined, connection: IDLE },
  open: (client, id) => client.viewClip(id),
};

/** A clip, live. @param id its global id or UUID; with null there is nothing to watch yet */
export function useClip(id: string | null | undefined): UseClip {
  const { value: clip, connection, error, reopen } = useNode(CLIP, id);
  return useMemo(() => ({ clip, connection, error, reopen }), [clip, connection, error, reopen]);
}
