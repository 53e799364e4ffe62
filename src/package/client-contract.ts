import type { JobDefinition, PayloadOf } from '../core/definition.ts';
import type { LabeledJob } from '../core/job.ts';
import type {
  CancelResult,
  EnqueueInput,
  EnqueueItemResult,
  EnqueueResult,
  RetryResult,
} from '../core/queue.ts';

/** Everything about a job but its definition and payload. */
export type EnqueueOptions = Omit<EnqueueInput, 'definitionKey' | 'payload' | 'createdBy'>;

/** One of many: a payload with its options. */
export interface EnqueueItem<Payload> extends EnqueueOptions {
  readonly payload: Payload;
}

export interface WaitOptions {
  /** How long to wait for the job's end: more than 0, at most 86,400; 60 by default. */
  readonly waitSeconds?: number;
  /** Ends the waiting, not the job. */
  readonly signal?: AbortSignal;
}

/** A job with its definition's key. */
export interface ClientJob extends LabeledJob {
  readonly definitionKey: string;
}

/** Enqueues and looks after the jobs of one tenant. Safe to share; connections are made at the first call. */
export interface Client {
  /**
   * Enqueues one job; resolves after its commit.
   * @throws DomainError `InvalidPayload` `InvalidArgument` `DefinitionInactive` `DedupeBusy`
   */
  enqueue<D extends JobDefinition>(
    definition: D,
    payload: PayloadOf<D>,
    options?: EnqueueOptions,
  ): Promise<EnqueueResult>;
  /**
   * Enqueues up to 10,000 of one definition in one transaction; one result an item, in order: `created`,
   * `existing`, or `invalid` with the error, of which nothing was written.
   * @throws DomainError `InvalidArgument` `PayloadTooLarge` for all together · `DedupeBusy`
   */
  enqueueMany<D extends JobDefinition>(
    definition: D,
    items: readonly EnqueueItem<PayloadOf<D>>[],
  ): Promise<readonly EnqueueItemResult[]>;
  /**
   * Enqueues one job and waits for its end, whichever that is: look at its `status`.
   * @throws DomainError as `enqueue` · `WaitTimeout` when it has not ended in time (it goes on); the signal's
   *   reason
   */
  enqueueAndWait<D extends JobDefinition>(
    definition: D,
    payload: PayloadOf<D>,
    options?: EnqueueOptions & WaitOptions,
  ): Promise<ClientJob>;
  /** A job by its id; null when the tenant has none. */
  job(id: string): Promise<ClientJob | null>;
  /** Cancels a queued job at once, asks a running one to stop. */
  cancel(id: string, reason?: string): Promise<CancelResult>;
  /** Queues a job again that is `failed`, `dead_letter` or `canceled`. */
  retry(id: string): Promise<RetryResult>;
  /** Closes its connections. May be called any number of times; other calls then fail. */
  close(): Promise<void>;
}
