/**
 * Where a job stands. `failed`: a permanent error. `dead_letter`: its attempts are exhausted or it is poison.
 */
export const JOB_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'canceled', 'dead_letter'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Who asked for the job: a person or key, an application event, a schedule, or Millrace itself. */
export const JOB_SOURCES = ['manual', 'event', 'schedule', 'system'] as const;
export type JobSource = (typeof JOB_SOURCES)[number];

/**
 * How one run ended. `lost`: its lease ended before it settled. `interrupted`: its worker stopped and handed
 * it back.
 */
export const ATTEMPT_STATUSES = [
  'succeeded',
  'skipped',
  'failed',
  'timeout',
  'canceled',
  'lost',
  'interrupted',
] as const;

/** What is kept on an attempt of the program that it ran. */
export interface AttemptOutput {
  readonly pid: number | null;
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  /** `SIGKILL` … */
  readonly signal: string | null;
  readonly stdoutTail: string;
  readonly stderrTail: string;
}

/** The error kept on a job and on an attempt (the video system's structured error). */
export interface JobError {
  /** Error class or a domain code such as `S3ObjectNotFound`. */
  readonly type: string;
  readonly message: string;
  /** RFC 3339, UTC. */
  readonly timestamp: string;
  /** Runs that had already ended in an error when this one did. */
  readonly retryCount: number;
}

/** What a job is about: (`video`, its id), (`call`, its id) … Any type and id of a user's own will do. */
export interface Subject {
  readonly type: string;
  readonly id: string;
}

/** A caller's own notes on a job: an object, as JSON holds it. */
export type JobMetadata = Readonly<Record<string, unknown>>;

/** One row of `millrace.jobs` as the API shows it. */
export interface Job {
  readonly id: string;
  readonly tenantId: string;
  readonly definitionId: string;
  readonly source: JobSource;
  readonly sourceRef: string | null;
  readonly status: JobStatus;
  /** Lower runs first; 100 by default. */
  readonly priority: number;
  readonly payload: unknown;
  readonly result: unknown;
  readonly dedupeKey: string | null;
  readonly correlationId: string | null;
  readonly subject: Subject | null;
  readonly requestedFor: Date | null;
  readonly scheduledFor: Date;
  readonly queuedAt: Date;
  readonly claimedAt: Date | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** Budget spent: runs that ended in an error, a timeout or a lost lease. */
  readonly attemptCount: number;
  readonly maxAttempts: number;
  /** Grows by one at each claim and never falls: with the lease token it is the fence. */
  readonly runNo: number;
  readonly lostLeaseCount: number;
  readonly snoozeCount: number;
  /** Parents that have not ended; it is not claimed before this is 0. */
  readonly pendingDependencies: number;
  readonly expiresAt: Date | null;
  /** The handler's time, when it is not the definition's. */
  readonly timeoutSeconds: number | null;
  readonly leaseExpiresAt: Date | null;
  readonly claimedByWorker: string | null;
  readonly cancelRequestedAt: Date | null;
  readonly lastError: JobError | null;
  /** Why a job was skipped, canceled or snoozed, in words. */
  readonly reason: string | null;
  readonly createdBy: string | null;
  /** Grows by one at each change of the row; a subscriber never sees it go back. */
  readonly version: bigint;
}

/** A job with what its callers attached to it, which no worker reads. */
export interface LabeledJob extends Job {
  readonly tags: readonly string[];
  readonly metadata: JobMetadata | null;
}
