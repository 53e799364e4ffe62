import { DomainError } from '../core/errors.ts';
import type { CheckedEnqueue } from './checked-enqueue.ts';
import type { JobQueue, NewQueueJob, QueueJob } from './contract.ts';
import { failure, success } from './endings.ts';
import type { HeldLeases } from './held-leases.ts';

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
