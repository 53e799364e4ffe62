import { DomainError } from '../core/errors.ts';
import { isUuid, SYSTEM_TENANT_ID } from '../core/ids.ts';
import { canRetry, getBackoffDelayMs } from './backoff.ts';
import type { CheckedEnqueue } from './checked-enqueue.ts';
import { storedDedupeKey } from './dedupe-key.ts';
import { failure, success } from './endings.ts';
import type { HeldLeases } from './held-leases.ts';

export interface EnqueueJobInput {
  /** A job definition's key. */
  readonly type: string;
  /** The tenant's id; null or absent for a job of the installation itself. */
  readonly orgId?: string | null;
  readonly payload?: Record<string, unknown>;
  /** Not before this time. */
  readonly runAt?: Date | null;
  /** At most one queued or running job of this type, organisation and payload: the id of that one is returned. */
  readonly dedupe?: boolean;
}

/** Where jobs are written. */
export interface JobsRepository {
  /**
   * @returns the job's id
   * @throws DomainError `UnknownDefinition` `DefinitionInactive` `InvalidPayload` `InvalidArgument` `DedupeBusy`
   */
  enqueue(input: EnqueueJobInput): Promise<string>;
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

  /** Takes the next job that may run now, or null. Its lease is renewed until it is marked. */
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
