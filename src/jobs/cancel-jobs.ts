import type { Actor } from '../core/actor.ts';
import type { ReadTransaction } from '../db/prisma.ts';
import type { JobsDeps } from './deps.ts';
import { checkReason } from './reason.ts';
import { requireRole } from './require-role.ts';
import { type BulkOutcome, outcomeOf, type SelectionRequest, selectJobs } from './select-jobs.ts';

/** What can still be canceled, and was not asked to stop before. */
const CANCELABLE = { statuses: ['queued', 'running'], withoutAsked: true } as const;

/**
 * Cancels the jobs of a selection, oldest first, in batches of one transaction each: queued ones end, running ones are asked to
 * stop. Without ids and statuses in the filter only such jobs are chosen.
 * @throws DomainError `Forbidden` `InvalidArgument` `UnknownDefinition`
 */
export async function cancelJobs(
  deps: Pick<JobsDeps, 'queue'>,
  reads: ReadTransaction,
  actor: Actor,
  request: SelectionRequest & { readonly reason: string | null },
): Promise<BulkOutcome> {
  requireRole(actor, 'tenant_admin', 'cancel many jobs', 'jobs:write');
  const reason = checkReason(request.reason);
  const { tenantId, name: by } = actor;
  const selection = await selectJobs(reads, tenantId, request, CANCELABLE);
  const counts = await deps.queue.cancelMany({ ...selection.jobs, tenantId, by }, reason);
  return outcomeOf(selection, counts);
}
