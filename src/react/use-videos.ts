'use client';

import type { VideoChangesFilter, VideosState } from '../client/index.ts';
import { IDLE } from '../client/status.ts';
import { type UseList, useList } from './use-list.ts';
import type { ViewKind } from './use-view.ts';

export type UseVideos = UseList<VideosState>;

const VIDEOS: ViewKind<VideosState> = {
  name: 'videos',
  idle: { videos: [], isReady: false, isComplete: true, connection: IDLE },
  open: (client, filter) => client.viewVideos(JSON.parse(filter) as VideoChangesFilter),
};

/** The videos that match, live. The filter may be written in place: it is compared by what is in it. */
export function useVideos(filter: VideoChangesFilter = {}): UseVideos {
  return useList(VIDEOS, filter);
}
