import type { Job, JobError } from '../job.ts';

/** What a pipeline looks at in the job that has just ended, beside its definition's key: the job itself will do. */
export type FinishedJob = Pick<Job, 'payload' | 'subject'>;

/** Why a stage failed. Its time and its count of tries are added where it has none of its own. */
export type StageError = Pick<JobError, 'type' | 'message'> & Partial<JobError>;

/** A next stage to enqueue in the finishing transaction. One that is active already counts as enqueued. */
export interface NextJob {
  readonly definitionKey: string;
  readonly payload: unknown;
  /** Of `pipelineDedupeKey`, so that no caller's job can stand in for it. */
  readonly dedupeKey: string | null;
  /** `theOthers`: not before all other jobs of the same list have ended well; canceled when one of them does not. */
  readonly after?: 'theOthers';
}

/** A change of a domain row, applied in the finishing transaction. Each kind is one statement in `db/sql`. */
export type DomainChange = VideoChange | ClipChange;

export interface VideoChange {
  readonly kind: 'video';
  readonly videoId: string;
  readonly status: 'uploaded' | 'processing' | 'transcoded' | 'ready' | 'failed';
  readonly set: Readonly<Partial<VideoFacts>>;
}

/** What the end of its job, or a retry of it, does to a clip. A job that is not the clip's any more changes nothing of it. */
export type ClipChange = { readonly kind: 'clip'; readonly clipId: string } & (
  | { readonly status: 'ready'; readonly set: ClipFacts }
  | { readonly status: 'failed'; readonly error: StageError }
  | { readonly status: 'queued' }
);

/** The facts about a clip that is made. */
export interface ClipFacts {
  readonly objectKey: string;
  readonly sizeBytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
  /** What it really shows, within the video. */
  readonly startMs: number;
  readonly endMs: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** The facts about a video that a stage finds out. */
export interface VideoFacts {
  readonly proxyKey: string;
  readonly thumbKey: string;
  readonly durationMs: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly fps: number;
  readonly error: StageError | null;
}

export interface FinalEffects {
  readonly changes: readonly DomainChange[];
  readonly next: readonly NextJob[];
  /** What happens instead of `next` when that cannot be enqueued, since an operator has switched its definition off. */
  readonly ifRefused?: (error: StageError) => readonly DomainChange[];
}
