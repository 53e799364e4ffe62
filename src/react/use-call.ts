'use client';

import { useMemo } from 'react';
import type { Call, NodeState } from '../client/index.ts';
import { IDLE } from '../client/status.ts';
import { type HookConnection, useNode } from './use-node.ts';
import type { ViewKind } from './use-view.ts';

export interface UseCall extends HookConnection {
  /** Undefined before it has come, null once it was deleted. */
  readonly call: Call | null | undefined;
}

const CALL: ViewKind<NodeState<Call>> = {
  name: 'call',
  idle: { value: undefined, connection: IDLE },
  open: (client, id) => client.viewCall(id),
};

/**
 * A call and the work on it, live. @param id its global id or UUID; with null there is nothing to watch yet
 */
export function useCall(id: string | null | undefined): UseCall {
  const { value: call, connection, error, reopen } = useNode(CALL, id);
  return useMemo(() => ({ call, connection, error, reopen }), [call, connection, error, reopen]);
}
