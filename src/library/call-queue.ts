import type { JobDefinition } from '../core/definition.ts';
import { DomainError } from '../core/errors.ts';
import type { Outcome } from '../core/outcome.ts';
import type { CheckedEnqueue } from './checked-enqueue.ts';
import type { JobQueue, NewQueueJob, QueueJob } from './contract.ts';
import { ended, failure, success } from './endings.ts';
import type { HeldLeases } from './held-leases.ts';

const MAX_BACKOFF_SECONDS = 366 * 86_400;

/** The call-processing system's queue on the engine's verbs. */
export class EngineCallQueue implements JobQueue {
  readonly #enqueue: CheckedEnqueue;
  readonly #held: HeldLeases;
  readonly #definitions: ReadonlyMap<string, JobDefinition>;

  constructor(enqueue: CheckedEnqueue, held: HeldLeases, definitions: readonly JobDefinition[]) {
    this.#enqueue = enqueue;
    this.#held = held;
    this.#definitions = new Map(definitions.map((definition) => [definition.key, definition]));
  }

  #definitionOf(key: string): JobDefinition {
    const definition = this.#definitions.get(key);
    if (definition === undefined) throw new TypeError(`Nothing of ${key} was declared`);
    return definition;
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

  async complete(jobId: string, outcome?: Outcome): Promise<void> {
    await this.#held.settle(jobId, (claimed) =>
      outcome === undefined ? success() : ended(claimed, this.#definitionOf(claimed.definitionKey), outcome),
    );
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
