import type { Caller } from '../access/caller.ts';
import { defineUseCase } from '../access/use-case.ts';
import type { ReadTransaction } from '../db/prisma.ts';
import type { JobsDeps } from './deps.ts';
import { checkReason } from './reason.ts';
import {
  type BulkOutcome,
  costOfSelection,
  outcomeOf,
  type SelectionRequest,
  selectJobs,
} from './select-jobs.ts';

/** What can still be canceled, and was not asked to stop before. */
export const CANCELABLE = { statuses: ['queued', 'running'], withoutAsked: true } as const;

/**
 * Cancels the jobs of a selection, oldest first, in batches of one transaction each: queued ones end, running
 * ones are asked to stop. Without ids and statuses in the filter only such jobs are chosen.
 * @throws DomainError `Forbidden` `InvalidArgument` `UnknownDefinition`
 */
export const cancelJobs = defineUseCase(
  {
    name: 'cancelJobs',
    role: 'tenant_admin',
    scope: 'jobs:write',
    toDo: 'cancel many jobs',
    cost: costOfSelection,
  },
  async (
    { queue, reads }: Pick<JobsDeps, 'queue'> & { readonly reads: ReadTransaction },
    actor: Caller,
    request: SelectionRequest & { readonly reason: string | null },
  ): Promise<BulkOutcome> => {
    const reason = checkReason(request.reason);
    const { tenantId, name: by } = actor;
    const selection = await selectJobs(reads, tenantId, request, CANCELABLE);
    const counts = await queue.cancelMany({ ...selection.jobs, tenantId, by }, reason);
    return outcomeOf(selection, counts);
  },
);
