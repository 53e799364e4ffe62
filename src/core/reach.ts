import type { Scope } from './scopes.ts';

/**
 * What an access token is limited to, below its role and scopes; `createdBy` is the name that it speaks
 * under.
 */
export type Reach =
  | { readonly kind: 'job'; readonly jobId: string }
  | { readonly kind: 'video'; readonly videoId: string }
  | { readonly kind: 'ownJobs'; readonly createdBy: string }
  | { readonly kind: 'upload'; readonly createdBy: string };

export type ReachKind = Reach['kind'];

/**
 * The scopes that each has at most: those of them that its minter has too. The first is the one that minting
 * takes.
 */
export const REACH_SCOPES: Readonly<Record<ReachKind, readonly [Scope, ...Scope[]]>> = {
  job: ['jobs:read'],
  video: ['videos:read'],
  ownJobs: ['jobs:read', 'jobs:write'],
  upload: ['videos:write'],
};

const WORDS: Readonly<Record<ReachKind, string>> = {
  job: 'one job',
  video: 'one video',
  ownJobs: 'the jobs that it enqueued itself',
  upload: 'uploads of its own',
};

/** In words, for messages. */
export function reachInWords({ kind }: Reach): string {
  return WORDS[kind];
}

/** Whether a job is within reach; all are of a credential that is not limited. */
export function reachesJob(
  reach: Reach | undefined,
  job: { readonly id: string; readonly createdBy: string | null },
): boolean {
  if (reach === undefined) return true;
  if (reach.kind === 'job') return job.id === reach.jobId;
  return reach.kind !== 'video' && job.createdBy === reach.createdBy;
}

/** The same of a video. */
export function reachesVideo(
  reach: Reach | undefined,
  video: { readonly id: string; readonly ownerId: string | null },
): boolean {
  if (reach === undefined) return true;
  if (reach.kind === 'video') return video.id === reach.videoId;
  return reach.kind === 'upload' && video.ownerId === reach.createdBy;
}

/**
 * The same of what belongs to a video: a clip, a text. @param videoId null of what belongs to something else
 */
export function reachesPartOf(reach: Reach | undefined, videoId: string | null): boolean {
  return reach === undefined || (reach.kind === 'video' && videoId === reach.videoId);
}

/** Whose jobs alone are within reach; null where that does not decide. */
export function reachedCreator(reach: Reach | undefined): string | null {
  return reach?.kind === 'ownJobs' ? reach.createdBy : null;
}
