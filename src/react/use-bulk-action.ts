'use client';

import { useMemo } from 'react';
import type { BulkAction, NodeState } from '../client/index.ts';
import { IDLE } from '../client/status.ts';
import { type HookConnection, useNode } from './use-node.ts';
import type { ViewKind } from './use-view.ts';

export interface UseBulkAction extends HookConnection {
  /** Undefined before it has come, null once it is gone. */
  readonly bulkAction: BulkAction | null | undefined;
}

const BULK_ACTION: ViewKind<NodeState<BulkAction>> = {
  name: 'bulk action',
  idle: { value: undefined, connection: IDLE },
  open: (client, id) => client.viewBulkAction(id),
};

/**
 * A cancel or retry of many jobs, live. @param id its global id or UUID; with null there is nothing to watch
 * yet
 */
export function useBulkAction(id: string | null | undefined): UseBulkAction {
  const { value: bulkAction, connection, error, reopen } = useNode(BULK_ACTION, id);
  return useMemo(() => ({ bulkAction, connection, error, reopen }), [bulkAction, connection, error, reopen]);
}
