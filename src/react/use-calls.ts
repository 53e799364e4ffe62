'use client';

import type { CallChangesFilter, CallsState } from '../client/index.ts';
import { IDLE } from '../client/status.ts';
import { type UseList, useList } from './use-list.ts';
import type { ViewKind } from './use-view.ts';

export type UseCalls = UseList<CallsState>;

const CALLS: ViewKind<CallsState> = {
  name: 'calls',
  idle: { calls: [], isReady: false, isComplete: true, connection: IDLE },
  open: (client, filter) => client.viewCalls(JSON.parse(filter) as CallChangesFilter),
};

/** The calls that match, live. The filter may be written in place: it is compared by what is in it. */
export function useCalls(filter: CallChangesFilter = {}): UseCalls {
  return useList(CALLS, filter);
}
