import type { DependencyPolicy } from './dependency-policy.ts';
import type { DomainError } from './errors.ts';
import type { Job, JobMetadata, JobSource, Subject } from './job.ts';

/** What one enqueue asks for. The definition is named by key; defaults come from it. */
export interface EnqueueInput {
  readonly definitionKey: string;
  readonly payload: unknown;
  readonly source?: JobSource;
  readonly sourceRef?: string | null;
  /** Lower runs first; 100 by default. */
  readonly priority?: number;
  /** Not before this time; now by default. A past time is clamped to now and kept as `requestedFor`. */
  readonly scheduledFor?: Date | null;
  /** At most one active (queued or running) job per tenant carries the same key. */
  readonly dedupeKey?: string | null;
  readonly correlationId?: string | null;
  readonly subject?: Subject | null;
  /** Runs in all; the definition's by default. */
  readonly maxAttempts?: number | null;
  readonly createdBy?: string | null;
  /** Not started by then: canceled, reason `expired`. */
  readonly expiresAt?: Date | null;
  /** The handler's time, instead of the definition's: 1 to 604,800. */
  readonly timeoutSeconds?: number | null;
  /** Jobs of the same tenant that must end first, each at most once. */
  readonly dependsOn?: readonly Dependency[];
  /**
   * With a dedupe key: a job with the key that was enqueued within this time counts as a duplicate too,
   * whatever became of it. Looked up, not enforced: two that are enqueued at once may both be created when
   * neither is active any more.
   */
  readonly dedupeWindowSeconds?: number | null;
  /**
   * At most 20, each of 1 to 64 characters; those given twice count once. Jobs that this one leads to do not
   * get them.
   */
  readonly tags?: readonly string[] | null;
  /**
   * The caller's own notes: an object of at most 4,096 bytes of JSON. Handlers do not get it, nor do jobs
   * that this one leads to.
   */
  readonly metadata?: JobMetadata | null;
}

export type { DependencyPolicy };

export interface Dependency {
  readonly jobId: string;
  /** `cancel` by default. */
  readonly policy?: DependencyPolicy;
}

/** Always a job id; `existing` when an active job already carries the dedupe key. */
export interface EnqueueResult {
  readonly id: string;
  readonly kind: 'created' | 'existing';
}

/** One result of a bulk call. `invalid`: nothing was written for this item, the others are not concerned. */
export type EnqueueItemResult = EnqueueResult | { readonly kind: 'invalid'; readonly error: DomainError };

/** The right to settle one run: every worker write carries it and changes nothing if it does not match. */
export interface Lease {
  readonly jobId: string;
  readonly runNo: number;
  readonly token: string;
}

export type CancelResult =
  | { readonly kind: 'canceled' }
  /** Running: its worker is notified and settles it. */
  | { readonly kind: 'requested' }
  | { readonly kind: 'wrongState'; readonly status: Job['status'] }
  /** Somebody else's transaction holds the job; nothing changed. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'notFound' };

export type RetryResult =
  | { readonly kind: 'queued' }
  | { readonly kind: 'stillRunning' }
  | { readonly kind: 'activeDuplicate'; readonly jobId: string }
  | { readonly kind: 'wrongState'; readonly status: Job['status'] }
  /** Somebody else's transaction holds the job or its dedupe key; nothing changed. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'notFound' };
