import { DomainError } from '../core/errors.ts';
import { isUuid, SYSTEM_TENANT_ID } from '../core/ids.ts';
import { canRetry, getBackoffDelayMs } from './backoff.ts';
import type { CheckedEnqueue } from './checked-enqueue.ts';
import type { ClaimedLibraryJob, EnqueueJobInput, JobsRepository } from './contract.ts';
import { storedDedupeKey } from './dedupe-key.ts';
import { failure, success } from './endings.ts';
import type { HeldLeases } from './held-leases.ts';

/** The repository on the engine's tables. */
export class PostgresJobsRepository implements JobsRepository {
  readonly #enqueue: CheckedEnqueue;
  readonly #held: HeldLeases;

  constructor(enqueue: CheckedEnqueue, held: HeldLeases) {
    this.#enqueue = enqueue;
    this.#held = held;
  }

  async enqueue({ type, orgId = null, payload = {}, runAt, dedupe }: EnqueueJobInput): Promise<string> {
    if (orgId !== null && !isUuid(orgId)) {
      throw new DomainError('InvalidArgument', `orgId is ${JSON.stringify(orgId.slice(0, 80))}`, {
        field: 'orgId',
        allowed: "a tenant's UUID, or null for the installation itself",
      });
    }
    const { id } = await this.#enqueue(orgId ?? SYSTEM_TENANT_ID, {
      definitionKey: type,
      payload,
      source: 'system',
      scheduledFor: runAt ?? null,
      dedupeKey: dedupe === true ? storedDedupeKey(type, orgId, payload) : null,
    });
    return id;
  }

  async claim(workerId: string): Promise<ClaimedLibraryJob | null> {
    const handed = await this.#held.claim(workerId);
    if (handed === null) return null;
    const { job, definitionKey } = handed.claimed;
    return {
      id: job.id,
      type: definitionKey,
      orgId: job.tenantId === SYSTEM_TENANT_ID ? null : job.tenantId,
      payload: handed.payload,
      attempts: job.attemptCount,
      maxAttempts: job.maxAttempts,
    };
  }

  async markSuccess(id: string): Promise<void> {
    await this.#held.settle(id, success);
  }

  async markFailure(id: string, error: string): Promise<void> {
    await this.#held.settle(id, (claimed) =>
      failure(
        claimed,
        error,
        (attempts, maxAttempts) => canRetry('failed', attempts, maxAttempts),
        getBackoffDelayMs(claimed.job.attemptCount) / 1000,
      ),
    );
  }
}
