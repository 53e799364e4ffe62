import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { recordOutcome } from '../../../db/outcome-record.ts';
import type { ReadTransaction } from '../../../db/prisma.ts';
import { recordAction } from '../../../db/record-action.ts';
import { CANCELABLE } from '../../../jobs/cancel-jobs.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import type { JobFilter } from '../../../jobs/job-filter.ts';
import { checkReason } from '../../../jobs/reason.ts';
import { checkedSpread, RETRYABLE } from '../../../jobs/retry-jobs.ts';
import { costOfSelection, selectJobs, shownFilter } from '../../../jobs/select-jobs.ts';
import type { BulkVerb } from '../bulk-action.ts';
import { storedFilter } from '../run/stored-filter.ts';
import { type InsertedBulkActionRow, insertBulkAction } from '../sql/insert-bulk-action.ts';

export interface NewBulkAction {
  readonly verb: BulkVerb;
  /** At least one condition. */
  readonly filter: JobFilter;
  /** For a cancel: the reason, kept on the jobs. */
  readonly reason?: string | null | undefined;
  /** For a retry: the jobs become ready at random times within N seconds. */
  readonly spreadSeconds?: number | null | undefined;
}

/**
 * Begins to cancel or retry all jobs that a filter chooses and that are there now. Processes of the API work
 * on it, batch by batch.
 * @returns its id
 * @throws DomainError `Forbidden` `InvalidArgument` `UnknownDefinition`
 */
export const startBulkAction = defineUseCase(
  {
    name: 'startBulkAction',
    role: 'tenant_admin',
    scope: 'jobs:write',
    toDo: 'cancel or retry many jobs',
    cost: ({ filter }: NewBulkAction) => costOfSelection({ filter }),
  },
  async (
    {
      db,
      queue,
      bulkActions,
      reads,
    }: Pick<JobsDeps, 'db' | 'queue' | 'bulkActions'> & { readonly reads: ReadTransaction },
    { tenantId, name }: Caller,
    { verb, filter, ...given }: NewBulkAction,
  ): Promise<string> => {
    const reason = checkReason(given.reason ?? null);
    const spreadSeconds = checkedSpread(given.spreadSeconds ?? 0);
    // A filter that is not taken is refused now, and not when nobody listens.
    await selectJobs(reads, tenantId, { filter, limit: 1 }, verb === 'cancel' ? CANCELABLE : RETRYABLE);
    const id = await db.transaction({ role: 'api', tenantId }, async (tx) => {
      const values = [tenantId, verb, JSON.stringify(storedFilter(filter)), reason, spreadSeconds, name];
      const { rows } = await tx.query<InsertedBulkActionRow>(insertBulkAction, values);
      const made = (rows[0] as { id: string }).id;
      await recordAction(tx, {
        tenantId,
        actor: name,
        action: 'bulk_action.start',
        targetType: 'bulk_action',
        targetId: made,
        details: { verb, filter: shownFilter(filter), ...(reason !== null && { reason }) },
      });
      await recordOutcome(tx, made);
      return made;
    });
    queue.notifyChanged();
    bulkActions.wake();
    return id;
  },
);
