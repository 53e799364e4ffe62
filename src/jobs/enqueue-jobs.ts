import type { Actor } from '../core/actor.ts';
import { DomainError } from '../core/errors.ts';
import type { EnqueueItemResult } from '../core/queue.ts';
import type { JobsDeps } from './deps.ts';
import { type EnqueueJobRequest, inApiWords, inputOf } from './enqueue-job.ts';
import { requireRole } from './require-role.ts';

/** Jobs of one call through the API. */
export const MAX_JOBS_A_CALL = 1_000;

/** One job of the call. */
export interface EnqueueJobsItem {
  readonly definitionKey: string;
  /** @throws DomainError what is wrong with this one */
  readonly request: () => EnqueueJobRequest;
}

/**
 * Enqueues many jobs for the actor's tenant; all good ones in one transaction. A bad one fails nobody else.
 * @returns one result a request, in order
 * @throws DomainError `Forbidden`, `InvalidArgument` (too many), `PayloadTooLarge` (all together), `DedupeBusy`
 */
export async function enqueueJobs(
  deps: Pick<JobsDeps, 'queue' | 'payloads'>,
  actor: Actor,
  items: readonly EnqueueJobsItem[],
): Promise<readonly EnqueueItemResult[]> {
  requireRole(actor, 'member', 'enqueue jobs', 'jobs:write');
  if (items.length > MAX_JOBS_A_CALL) {
    const allowed = `at most ${MAX_JOBS_A_CALL} jobs in one call`;
    throw new DomainError('InvalidArgument', `jobs has ${items.length} items; allowed: ${allowed}.`, {
      field: 'jobs',
      allowed,
    });
  }
  try {
    const results = await deps.queue.enqueueManyChecked(
      actor.tenantId,
      items.map(({ definitionKey, request }) => ({
        definitionKey,
        prepare: (definition) => inputOf(deps.payloads, actor, definition, request()),
      })),
    );
    return results.map((result) =>
      result.kind === 'invalid' ? { kind: 'invalid', error: inApiWords(result.error) } : result,
    );
  } catch (error) {
    throw error instanceof DomainError ? inApiWords(error) : error;
  }
}
