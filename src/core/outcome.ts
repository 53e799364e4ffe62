import type { JobError } from './job.ts';
import type { NextJobInput } from './next-jobs.ts';

/** A file that a handler published: becomes a row of `millrace.artifacts` in the settling transaction. */
export interface ArtifactRecord {
  /** `hls_playlist`, `hls_segment`, `poster`, `clip` … */
  readonly kind: string;
  /** Object key in the store; unique per tenant. */
  readonly key: string;
  readonly sizeBytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly contentType: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** What a handler returns. Failure is a throw, see `PermanentError` and `RetryAfter`. */
export type Outcome =
  | {
      readonly kind: 'done';
      readonly result: unknown;
      readonly artifacts: readonly ArtifactRecord[];
      readonly next?: readonly NextJobInput[];
    }
  | { readonly kind: 'skipped'; readonly reason: string; readonly result: unknown }
  | { readonly kind: 'snoozed'; readonly delaySeconds: number; readonly reason: string }
  | { readonly kind: 'canceled'; readonly reason: string };

/** What `done` takes beside a result. */
export interface DoneOptions {
  /** Files that were published: they become rows in the settling transaction. */
  readonly artifacts?: readonly ArtifactRecord[];
  /** Jobs to enqueue in the settling transaction. */
  readonly next?: readonly NextJobInput[];
}

/**
 * The work is done. `result` is stored as JSON.
 * @param more artifacts and next jobs, or artifacts alone
 */
export function done(result: unknown = null, more: readonly ArtifactRecord[] | DoneOptions = []): Outcome {
  if (isArtifacts(more)) return { kind: 'done', result, artifacts: more };
  const { artifacts = [], next } = more;
  return { kind: 'done', result, artifacts, ...(next !== undefined && { next }) };
}

function isArtifacts(more: readonly ArtifactRecord[] | DoneOptions): more is readonly ArtifactRecord[] {
  return Array.isArray(more);
}

/** There was nothing to do (e.g. no audio stream); counts as success and says why. */
export function skipped(reason: string, result: unknown = null): Outcome {
  return { kind: 'skipped', reason, result };
}

/** Look again in `delaySeconds`; spends no attempt, counts against the definition's `maxSnoozes`. */
export function snoozed(delaySeconds: number, reason = 'snoozed'): Outcome {
  return { kind: 'snoozed', delaySeconds, reason };
}

/** The handler itself decided that the job should end as canceled. */
export function canceled(reason: string): Outcome {
  return { kind: 'canceled', reason };
}

/**
 * How a run ended, after the runtime has applied budget and policy. This is what settles a job, and what a
 * pipeline's `onFinal` is called.
 */
export type Settlement =
  | {
      readonly status: 'succeeded';
      readonly skippedReason: string | null;
      readonly result: unknown;
      readonly artifacts: readonly ArtifactRecord[];
      readonly next?: readonly NextJobInput[];
    }
  | { readonly status: 'failed'; readonly error: JobError }
  | { readonly status: 'dead_letter'; readonly error: JobError }
  | { readonly status: 'canceled'; readonly reason: string };
