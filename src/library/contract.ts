import type { Logger } from 'pino';
import type { JobDefinition } from '../core/definition.ts';
import type { Outcome } from '../core/outcome.ts';
import type { ClaimedJob } from '../core/queue.ts';

export interface EnqueueJobInput {
  /** A job definition's key. */
  readonly type: string;
  /** The tenant's id; null or absent for a job of the installation itself. */
  readonly orgId?: string | null;
  readonly payload?: Record<string, unknown>;
  /** Not before this time. */
  readonly runAt?: Date | null;
  /**
   * At most one queued or running job of this type, organisation and payload: the id of that one is returned.
   */
  readonly dedupe?: boolean;
}

/** Where jobs are written. */
export interface JobsRepository {
  /**
   * @returns the job's id
   * @throws DomainError `UnknownDefinition` `DefinitionInactive` `InvalidPayload` `InvalidArgument`
   *   `DedupeBusy`
   */
  enqueue(input: EnqueueJobInput): Promise<string>;
  /** Takes the next job that may run now, or null. Its lease is renewed until it is marked. */
  claim(workerId: string): Promise<ClaimedLibraryJob | null>;
  /** @throws DomainError `NotOwner` for a job that this process has not claimed */
  markSuccess(id: string): Promise<void>;
  /**
   * Queues the job again after `getBackoffDelayMs`, or ends it as failed when `canRetry` says no.
   * @throws DomainError `NotOwner` for a job that this process has not claimed
   */
  markFailure(id: string, error: string): Promise<void>;
}

/** A job as `claim` gives it: it is this process's to mark. */
export interface ClaimedLibraryJob {
  readonly id: string;
  readonly type: string;
  readonly orgId: string | null;
  readonly payload: unknown;
  /** Runs that have failed. */
  readonly attempts: number;
  readonly maxAttempts: number;
}

/** A job as the call-processing worker sees it. */
export interface QueueJob {
  readonly id: string;
  /** The tenant. */
  readonly org_id: string;
  /** What it is about: the job's subject is (`call`, this id). Empty for a job about nothing. */
  readonly call_id: string;
  /** The definition's key: `extract_audio`, `transcribe_start` … */
  readonly stage: string;
  readonly payload: Record<string, unknown>;
  /** Runs that have failed. */
  readonly attempts: number;
  readonly max_attempts: number;
}

/**
 * What `enqueue` takes; runs in all as the definition says, when it is not given, and at once without
 * `available_at`.
 */
export type NewQueueJob = Omit<QueueJob, 'id' | 'attempts' | 'max_attempts'> & {
  readonly max_attempts?: number;
  readonly available_at?: Date;
};

/**
 * The queue of the call-processing system: an engine can be swapped behind it without a change to the worker
 * loop.
 */
export interface JobQueue {
  enqueue(job: NewQueueJob): Promise<void>;
  /** The next job that may run now, or null. It is this process's until it is completed or failed. */
  claim(workerId: string): Promise<QueueJob | null>;
  /**
   * @param outcome what a stage of Millrace's own has given, as a worker would settle it: its result leads to
   *   the next stage, a snooze puts the job off; a success without a result by default
   * @throws DomainError `NotOwner` for a job that this process has not claimed
   */
  complete(jobId: string, outcome?: Outcome): Promise<void>;
  /**
   * Puts the job back for `backoffSeconds` from now, or ends it when it has had all its runs.
   * @throws DomainError `NotOwner`; `InvalidArgument` for a delay that is no number of seconds
   */
  fail(jobId: string, error: string, backoffSeconds: number): Promise<void>;
}

export interface OpenJobsOptions {
  /** A migrated database. */
  readonly databaseUrl: string;
  /** What this process declares, and claims jobs of. */
  readonly definitions: readonly JobDefinition[];
  /** `millrace` by default. */
  readonly rolePrefix?: string;
  /** 5 by default. */
  readonly maxConnections?: number;
  /** `transaction` where `databaseUrl` goes through a pooler in transaction mode; `none` by default. */
  readonly pooler?: 'none' | 'transaction';
  /** False behind a pooler in transaction mode that knows no prepared statements. */
  readonly preparedStatements?: boolean;
  /** Warnings on stderr by default. */
  readonly log?: Logger;
}

/** Two ways to the same jobs: what one has claimed, the other may settle. */
export interface OpenJobs {
  readonly repository: JobsRepository;
  readonly queue: JobQueue;
  /** The claim of a job that this process holds, for what works under its lease; null of any other. */
  claimed(jobId: string): ClaimedJob | null;
  /** Hands back what is still claimed and closes the connections. */
  close(): Promise<void>;
}
