import type { Caller } from '../access/caller.ts';
import { defineUseCase } from '../access/use-case.ts';
import { DomainError } from '../core/errors.ts';
import { ENDED_BADLY } from '../db/job-walk-parts.ts';
import type { ReadTransaction } from '../db/prisma.ts';
import type { JobsDeps } from './deps.ts';
import {
  type BulkOutcome,
  costOfSelection,
  outcomeOf,
  type SelectionRequest,
  selectJobs,
} from './select-jobs.ts';

/** What can be put back into the queue. */
export const RETRYABLE = { statuses: ENDED_BADLY };
const MAX_SPREAD_SECONDS = 86_400;

/**
 * Puts the jobs of a selection back into the queue with a fresh budget, oldest first, in batches of one
 * transaction each. What may not be retried is counted and left. Without ids and statuses in the filter only
 * failed, dead_letter and canceled jobs are chosen.
 * @throws DomainError `Forbidden` `InvalidArgument` `UnknownDefinition`
 */
export const retryJobs = defineUseCase(
  {
    name: 'retryJobs',
    role: 'tenant_admin',
    scope: 'jobs:write',
    toDo: 'retry many jobs',
    cost: costOfSelection,
  },
  async (
    { queue, reads }: Pick<JobsDeps, 'queue'> & { readonly reads: ReadTransaction },
    actor: Caller,
    request: SelectionRequest & { readonly spreadSeconds: number | null },
  ): Promise<BulkOutcome> => {
    const spreadSeconds = checkedSpread(request.spreadSeconds ?? 0);
    const { tenantId, name: by } = actor;
    const selection = await selectJobs(reads, tenantId, request, RETRYABLE);
    const counts = await queue.retryMany({ ...selection.jobs, tenantId, by }, spreadSeconds);
    return outcomeOf(selection, counts);
  },
);

/** @throws DomainError `InvalidArgument` */
export function checkedSpread(seconds: number): number {
  if (seconds >= 0 && seconds <= MAX_SPREAD_SECONDS) return seconds;
  const allowed = `0 to ${MAX_SPREAD_SECONDS}`;
  throw new DomainError('InvalidArgument', `spreadSeconds is ${seconds}; allowed: ${allowed}.`, {
    field: 'spreadSeconds',
    allowed,
  });
}
