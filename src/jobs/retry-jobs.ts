import type { Actor } from '../core/actor.ts';
import { DomainError } from '../core/errors.ts';
import { ENDED_BADLY } from '../db/job-walk-parts.ts';
import type { ReadTransaction } from '../db/prisma.ts';
import type { JobsDeps } from './deps.ts';
import { requireRole } from './require-role.ts';
import { type BulkOutcome, outcomeOf, type SelectionRequest, selectJobs } from './select-jobs.ts';

const RETRYABLE = { statuses: ENDED_BADLY };
const MAX_SPREAD_SECONDS = 86_400;

/**
 * Puts the jobs of a selection back into the queue with a fresh budget, oldest first, in batches of one transaction each.
 * What may not be retried is counted and left. Without ids and statuses in the filter only failed, dead_letter and canceled
 * jobs are chosen.
 * @throws DomainError `Forbidden` `InvalidArgument` `UnknownDefinition`
 */
export async function retryJobs(
  deps: Pick<JobsDeps, 'queue'>,
  reads: ReadTransaction,
  actor: Actor,
  request: SelectionRequest & { readonly spreadSeconds: number | null },
): Promise<BulkOutcome> {
  requireRole(actor, 'tenant_admin', 'retry many jobs', 'jobs:write');
  const spreadSeconds = checkedSpread(request.spreadSeconds ?? 0);
  const { tenantId, name: by } = actor;
  const selection = await selectJobs(reads, tenantId, request, RETRYABLE);
  const counts = await deps.queue.retryMany({ ...selection.jobs, tenantId, by }, spreadSeconds);
  return outcomeOf(selection, counts);
}

function checkedSpread(seconds: number): number {
  if (seconds >= 0 && seconds <= MAX_SPREAD_SECONDS) return seconds;
  const allowed = `0 to ${MAX_SPREAD_SECONDS}`;
  throw new DomainError('InvalidArgument', `spreadSeconds is ${seconds}; allowed: ${allowed}.`, {
    field: 'spreadSeconds',
    allowed,
  });
}
