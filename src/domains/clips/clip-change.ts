import type { StageError } from '../../core/pipelines/pipeline.ts';

/**
 * What the end of its job, or a retry of it, does to a clip. A job that is not the clip's any more changes
 * nothing of it.
 */
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
  /** What it really shows, within the video or call. */
  readonly startMs: number;
  readonly endMs: number;
  /** Null of a call. */
  readonly widthPx: number | null;
  readonly heightPx: number | null;
}
