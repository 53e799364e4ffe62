import { ListStreamSpec, type WatchedEvent } from './list-stream-spec.ts';
import type { RowChange } from './live-set.ts';
import {
  type Call,
  CallChanges,
  type CallChangesFilter,
  type CallChangesResult,
  type Clip,
  ClipChanges,
  type ClipChangesFilter,
  type ClipChangesResult,
  type Video,
  VideoChanges,
  type VideoChangesFilter,
  type VideoChangesResult,
} from './operations.gen.ts';

/** What a watch of videos gives; as `JobEvent`. */
export type VideoEvent = WatchedEvent<VideoChangesResult['videoChanges']>;
/** What a watch of clips gives; as `JobEvent`. */
export type ClipEvent = WatchedEvent<ClipChangesResult['clipChanges']>;

/** What a watch of calls gives; as `JobEvent`. */
export type CallEvent = WatchedEvent<CallChangesResult['callChanges']>;

/** @returns the course of `videoChanges` */
export function videosStreamSpec(
  filter: VideoChangesFilter | null,
  after: string | null,
): ListStreamSpec<VideoChangesResult, VideoChangesFilter, VideoChangesResult['videoChanges']> {
  return new ListStreamSpec(
    { operation: VideoChanges, read: ({ videoChanges }: VideoChangesResult) => videoChanges },
    filter,
    after,
  );
}

/** @returns the course of `clipChanges` */
export function clipsStreamSpec(
  filter: ClipChangesFilter | null,
  after: string | null,
): ListStreamSpec<ClipChangesResult, ClipChangesFilter, ClipChangesResult['clipChanges']> {
  return new ListStreamSpec(
    { operation: ClipChanges, read: ({ clipChanges }: ClipChangesResult) => clipChanges },
    filter,
    after,
  );
}

/** @returns the course of `callChanges` */
export function callsStreamSpec(
  filter: CallChangesFilter | null,
  after: string | null,
): ListStreamSpec<CallChangesResult, CallChangesFilter, CallChangesResult['callChanges']> {
  return new ListStreamSpec(
    { operation: CallChanges, read: ({ callChanges }: CallChangesResult) => callChanges },
    filter,
    after,
  );
}

/** What an event means for the set of calls. */
export function callChangeOf(event: CallEvent): RowChange<Call> {
  switch (event.__typename) {
    case 'CallUpdated':
      return { row: event.call };
    case 'CallLeft':
    case 'CallRemoved':
      return { removedId: event.callId };
    default:
      return { feed: event };
  }
}

/** What an event means for the set of videos. */
export function videoChangeOf(event: VideoEvent): RowChange<Video> {
  switch (event.__typename) {
    case 'VideoUpdated':
      return { row: event.video };
    case 'VideoLeft':
    case 'VideoRemoved':
      return { removedId: event.videoId };
    default:
      return { feed: event };
  }
}

/** What an event means for the set of clips. */
export function clipChangeOf(event: ClipEvent): RowChange<Clip> {
  switch (event.__typename) {
    case 'ClipUpdated':
      return { row: event.clip };
    case 'ClipLeft':
    case 'ClipRemoved':
      return { removedId: event.clipId };
    default:
      return { feed: event };
  }
}
