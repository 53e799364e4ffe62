import { DomainError } from '../core/errors.ts';
import type { CheckedEnqueue } from './checked-enqueue.ts';
import { failure, success } from './endings.ts';
import type { HeldLeases } from './held-leases.ts';

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

/** What `enqueue` takes; runs in all as the definition says, when it is not given, and at once without `available_at`. */
export type NewQueueJob = Omit<QueueJob, 'id' | 'attempts' | 'max_attempts'> & {
  readonly max_attempts?: number;
  readonly available_at?: Date;
};

/** The queue of the call-processing system: an engine can be swapped behind it without a change to the worker loop. */
export interface JobQueue {
  enqueue(job: NewQueueJob): Promise<void>;
  /** The next job that may run now, or null. It is this process's until it is completed or failed. */
  claim(workerId: string): Promise<QueueJob | null>;
  /** @throws DomainError `NotOwner` for a job that this process has not claimed */
  complete(jobId: string): Promise<void>;
  /**
   * Puts the job back for `backoffSeconds` from now, or ends it when it has had all its runs.
   * @throws DomainError `NotOwner`; `InvalidArgument` for a delay that is no number of seconds
   */
  fail(jobId: string, error: string, backoffSeconds: number): Promise<void>;
}

const MAX_BACKOFF_SECONDS = 366 * 86_400;

/** The call-processing system's queue on the engine's verbs. */
export class EngineCallQueue implements JobQueue {
  readonly #enqueue: CheckedEnqueue;
  readonly #held: HeldLeases;

  constructor(enqueue: CheckedEnqueue, held: HeldLeases) {
    this.#enqueue = enqueue;
    this.#held = held;
  }

  async enqueue(job: NewQueueJob): Promise<void> {
    await this.#enqueue(job.org_id, {
      definitionKey: job.stage,
      payload: job.payload,
      source: 'system',
      subject: job.call_id === '' ? null : { type: 'call', id: job.call_id },
      maxAttempts: job.max_attempts ?? null,
      scheduledFor: job.available_at ?? null,
    });
  }

  async claim(workerId: string): Promise<QueueJob | null> {
    const handed = await this.#held.claim(workerId);
    if (handed === null) return null;
    const { job, definitionKey } = handed.claimed;
    return {
      id: job.id,
      org_id: job.tenantId,
      call_id: job.subject?.id ?? '',
      stage: definitionKey,
      payload: handed.payload as Record<string, unknown>,
      attempts: job.attemptCount,
      max_attempts: job.maxAttempts,
    };
  }

  async complete(jobId: string): Promise<void> {
    await this.#held.settle(jobId, success);
  }

  async fail(jobId: string, error: string, backoffSeconds: number): Promise<void> {
    if (!(backoffSeconds >= 0 && backoffSeconds <= MAX_BACKOFF_SECONDS)) {
      const allowed = `0 to ${MAX_BACKOFF_SECONDS}`;
      throw new DomainError('InvalidArgument', `backoffSeconds is ${backoffSeconds}; allowed: ${allowed}.`, {
        field: 'backoffSeconds',
        allowed,
      });
    }
    await this.#held.settle(jobId, (claimed) =>
      failure(claimed, error, (attempts, maxAttempts) => attempts < maxAttempts, backoffSeconds),
    );
  }
}
