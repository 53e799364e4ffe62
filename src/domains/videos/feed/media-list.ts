import type {
  Change,
  ClipChange,
  ClipFeedEvent,
  ClipRemoval,
  VideoChange,
  VideoFeedEvent,
  VideoRemoval,
} from '../../../events/change.ts';
import { isOfJob } from '../../../events/change.ts';
import type { InitialState, ListKind, Missed } from '../../../events/list-kind.ts';
import type { CheckedMediaFilter } from './media-filter.ts';
import type { MediaReader } from './media-reader.ts';

export type VideoTrace = VideoChange | VideoRemoval;
export type ClipTrace = ClipChange | ClipRemoval;

/** Lists of videos. */
export function videoList(
  filter: CheckedMediaFilter,
  reader: MediaReader,
): ListKind<VideoTrace, VideoFeedEvent> {
  const { tenantId, statuses, createdBy } = filter;
  return {
    ...COMMON,
    name: 'videos',
    tenantId,
    isIn: statusIn(statuses),
    idOf: ({ videoId }) => videoId,
    isDeletion: ({ kind }) => kind === 'videoRemoved',
    traceOf: (change) => {
      if (change.kind !== 'video' && change.kind !== 'videoRemoved') return null;
      return change.tenantId === tenantId && isBy(createdBy, change) ? change : null;
    },
    workedOn: (change) => workOn(change, 'video', tenantId),
    event: (verdict, trace, cursor) => {
      if (verdict === 'in') return { kind: 'video', change: trace as VideoChange, cursor };
      const { videoId } = trace;
      return { kind: verdict === 'left' ? 'videoLeft' : 'videoRemoved', videoId, cursor };
    },
    initial: () => reader.initial('video', filter) as Promise<InitialState<VideoTrace>>,
    missed: (since, start, pageSize) =>
      reader.missed('video', filter, { tenantId, since, start, pageSize }) as Promise<Missed<VideoTrace>>,
  };
}

/** Lists of clips. */
export function clipList(
  filter: CheckedMediaFilter,
  reader: MediaReader,
): ListKind<ClipTrace, ClipFeedEvent> {
  const { tenantId, statuses, createdBy, videoId } = filter;
  return {
    ...COMMON,
    name: 'clips',
    tenantId,
    isIn: statusIn(statuses),
    idOf: ({ clipId }) => clipId,
    isDeletion: ({ kind }) => kind === 'clipRemoved',
    traceOf: (change) => {
      if (change.kind !== 'clip' && change.kind !== 'clipRemoved') return null;
      const isOfVideo = videoId === null || change.videoId === videoId;
      return change.tenantId === tenantId && isOfVideo && isBy(createdBy, change) ? change : null;
    },
    workedOn: (change) => workOn(change, 'clip', tenantId),
    event: (verdict, trace, cursor) => {
      if (verdict === 'in') return { kind: 'clip', change: trace as ClipChange, cursor };
      const { clipId } = trace;
      return { kind: verdict === 'left' ? 'clipLeft' : 'clipRemoved', clipId, cursor };
    },
    initial: () => reader.initial('clip', filter) as Promise<InitialState<ClipTrace>>,
    missed: (since, start, pageSize) =>
      reader.missed('clip', filter, { tenantId, since, start, pageSize }) as Promise<Missed<ClipTrace>>,
  };
}

const COMMON = {
  jobIds: null,
  followsWork: true,
  // Their initial state has no window: a complete one has all there are.
  knownSinceMs: () => Number.NEGATIVE_INFINITY,
} as const;

function statusIn(statuses: readonly string[] | null) {
  if (statuses === null) return null;
  return (trace: VideoTrace | ClipTrace): boolean => 'status' in trace && statuses.includes(trace.status);
}

function isBy(createdBy: string | null, change: { readonly createdBy: string | null }): boolean {
  return createdBy === null || change.createdBy === createdBy;
}

function workOn(change: Change, type: 'video' | 'clip', tenantId: string): string | null {
  if (!isOfJob(change) || change.tenantId !== tenantId || change.subject?.type !== type) return null;
  return change.subject.id.toLowerCase();
}
