import type { BatchCounts } from './bulk.ts';
import type { DomainError } from './errors.ts';
import type { JobMetadata, JobStatus } from './job.ts';
import type {
  CancelResult,
  EnqueueInput,
  EnqueueItemResult,
  EnqueueResult,
  RetryResult,
} from './queue-values.ts';
import type { VersionMatch } from './version-match.ts';

/**
 * Makes the input of a definition's job: checks who may, fills in the schema's defaults. Throws what it will
 * not have. A promise where that takes long: most jobs are not worth one.
 */
export type Prepare<Definition> = (definition: Definition) => EnqueueInput | Promise<EnqueueInput>;

export interface BulkItem<Definition> {
  readonly definitionKey: string;
  readonly prepare: Prepare<Definition>;
}

/** A job whose payload was checked by its definition as that was read. Waits for no other jobs. */
export interface CheckedJob {
  readonly tenantId: string;
  readonly input: EnqueueInput;
  /** The revision of the definition as it was read. */
  readonly revision: string;
}

/**
 * What became of it. `existing`: a job with its key was enqueued within the window. `rival`: one with its key
 * is active. `stale`: the definition has changed since, so check the payload again. Nothing was written of
 * any but those `created`.
 */
export type CheckedJobResult =
  | EnqueueResult
  | { readonly kind: 'rival' | 'stale' }
  | { readonly kind: 'refused'; readonly error: DomainError };

/** What a new job replays, for its row and the audit log. */
export interface Replay {
  /** The ended job. */
  readonly jobId: string;
  /** The caller, as in `jobs.created_by`. */
  readonly by: string;
  /** Whether the new job has a payload of its own. */
  readonly isPayloadEdited: boolean;
}

/**
 * Jobs whose ids have been found, to be canceled or retried together.
 * @template Transaction of the engine
 */
export interface ManyJobs<Transaction> {
  readonly tenantId: string;
  readonly ids: readonly string[];
  /** A job that has another status by the time it is held is left alone; null for any. */
  readonly statuses: readonly JobStatus[] | null;
  /** The actor's name. */
  readonly by: string;
  /** How they were chosen: kept in the audit log beside the counts. */
  readonly filter: Readonly<Record<string, unknown>>;
  /**
   * Counts what a batch did, in its transaction: what it throws takes the batch back. May be called more than
   * once for one batch.
   */
  readonly recording?: (tx: Transaction, counts: BatchCounts, ids: readonly string[]) => Promise<void>;
}

export interface JobUpdate {
  readonly tenantId: string;
  readonly jobId: string;
  /** The actor's name. */
  readonly by: string;
  /** For a queued job only, like the next field. */
  readonly priority: number | null;
  readonly scheduledFor: Date | null;
  /** Instead of those that it has, in whatever state it is; empty removes them. */
  readonly tags?: readonly string[] | null;
  /** The same, as a whole. */
  readonly metadata?: JobMetadata | null;
  /** Only of one of these versions. */
  readonly ifMatch?: VersionMatch | null;
}

export type UpdateResult =
  | { readonly kind: 'updated' }
  | { readonly kind: 'wrongState'; readonly status: JobStatus }
  | { readonly kind: 'busy' }
  | { readonly kind: 'notFound' };

/**
 * What producers and operators call: the API's use-cases and a user's own program.
 * @template Definition what the engine knows of a definition when a job of it is checked
 * @template Transaction of the engine
 */
export interface ProducerQueue<Definition = unknown, Transaction = unknown> {
  /**
   * Writes the jobs of one tenant, all or none. Payloads are taken as validated. Calls for one job that are
   * made at the same time share an INSERT; each resolves after its commit, and an error of one reaches its
   * own caller only.
   * @throws DomainError `UnknownDefinition`, `DefinitionInactive`, `InvalidArgument`, `InvalidPayload`,
   *   `PayloadTooLarge`, `UnknownTenant`, `DedupeBusy`; with several inputs `details.field` begins with
   *   `inputs[i].`
   */
  enqueue(tenantId: string, inputs: readonly EnqueueInput[]): Promise<readonly EnqueueResult[]>;
  /**
   * As `enqueue`, inside a transaction that the caller holds: its rows and the jobs are there together or not
   * at all. Call `notifyEnqueued` after the commit.
   * @throws as `enqueue`
   */
  enqueueIn(
    tx: Transaction,
    tenantId: string,
    inputs: readonly EnqueueInput[],
  ): Promise<readonly EnqueueResult[]>;
  /**
   * Jobs of any tenants inside a transaction that the caller holds, in one statement, each by the revision of
   * the definition that its payload was checked by. Those who wait for work are notified with the commit.
   * @returns one result a job, in order
   */
  enqueueCheckedIn(tx: Transaction, jobs: readonly CheckedJob[]): Promise<readonly CheckedJobResult[]>;
  /**
   * Writes the good ones of up to 10,000 jobs of one tenant in one transaction. Payloads are taken as
   * validated.
   * @returns one result an input, in order; the second of two with one dedupe key is `existing`
   * @throws DomainError `InvalidArgument` (too many), `PayloadTooLarge` (all together), `UnknownTenant`,
   *   `DedupeBusy`
   */
  enqueueMany(tenantId: string, inputs: readonly EnqueueInput[]): Promise<readonly EnqueueItemResult[]>;
  /**
   * One job, its payload checked by the definition as it is when the job is written. @throws as `enqueue`;
   * whatever `prepare` throws
   */
  enqueueChecked(
    tenantId: string,
    definitionKey: string,
    prepare: Prepare<Definition>,
  ): Promise<EnqueueResult>;
  /** Many jobs, each checked by its definition. @returns and throws as `enqueueMany` */
  enqueueManyChecked(
    tenantId: string,
    items: readonly BulkItem<Definition>[],
  ): Promise<readonly EnqueueItemResult[]>;
  /** A job that replays an ended one, recorded with the actor. @throws as `enqueueChecked` */
  replayChecked(
    tenantId: string,
    definitionKey: string,
    replay: Replay,
    prepare: Prepare<Definition>,
  ): Promise<EnqueueResult>;
  /** Cancels a queued job at once, asks a running one to stop. `by` is the actor's name. */
  cancel(tenantId: string, jobId: string, by: string, reason: string | null): Promise<CancelResult>;
  /**
   * An operator's retry of a job that is `failed`, `dead_letter` or `canceled`: fresh budget, same run
   * numbers. `by` is the actor's name, `system` by default.
   */
  retry(tenantId: string, jobId: string, by?: string): Promise<RetryResult>;
  /** Cancels many jobs in batches, each a transaction of its own. */
  cancelMany(jobs: ManyJobs<Transaction>, reason: string | null): Promise<BatchCounts>;
  /** Retries many jobs likewise; they become ready at random times within `spreadSeconds`. */
  retryMany(jobs: ManyJobs<Transaction>, spreadSeconds: number): Promise<BatchCounts>;
  /**
   * Another priority or time for a job that is still queued, other tags or metadata for any. @throws
   * DomainError `InvalidArgument`
   */
  update(update: JobUpdate): Promise<UpdateResult>;
  /** To be called after the commit of a transaction that put jobs in beside these verbs. */
  notifyEnqueued(results: readonly EnqueueResult[]): void;
  /** The same for one that lifted a pause or a limit. */
  notifyUnblocked(): void;
  /** The same for one that changed what is watched and no job. */
  notifyChanged(): void;
}
