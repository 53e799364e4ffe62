'use client';

import type { ClipChangesFilter, ClipsState } from '../client/index.ts';
import { IDLE } from '../client/status.ts';
import { type UseList, useList } from './use-list.ts';
import type { ViewKind } from './use-view.ts';

export type UseClips = UseList<ClipsState>;

const CLIPS: ViewKind<ClipsState> = {
  name: 'clips',
  idle: { clips: [], isReady: false, isComplete: true, connection: IDLE },
  open: (client, filter) => client.viewClips(JSON.parse(filter) as ClipChangesFilter),
};

/** The clips that match, live. The filter may be written in place: it is compared by what is in it. */
export function useClips(filter: ClipChangesFilter = {}): UseClips {
  return useList(CLIPS, filter);
}
