import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { recordOutcome } from '../../../db/outcome-record.ts';
import { recordAction } from '../../../db/record-action.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { notFound } from '../../../jobs/not-found.ts';
import { type StoppedBulkActionRow, stopBulkAction as stopStatement } from '../sql/stop-bulk-action.ts';

/**
 * Ends a bulk action after the batch under way; what it has done stays done. One that has ended is left as it
 * is.
 * @throws DomainError `Forbidden` `NotFound`
 */
export const stopBulkAction = defineUseCase(
  { name: 'stopBulkAction', role: 'tenant_admin', scope: 'jobs:write', toDo: 'stop bulk actions' },
  async (
    { db, queue }: Pick<JobsDeps, 'db' | 'queue'>,
    { tenantId, name }: Caller,
    id: string,
  ): Promise<void> => {
    await db.transaction({ role: 'api', tenantId }, async (tx) => {
      const { rows } = await tx.query<StoppedBulkActionRow>(stopStatement, [tenantId, id]);
      const row = rows[0];
      if (row === undefined) throw notFound('bulk action', id);
      await recordOutcome(tx, null);
      if (row.status !== 'running') return;
      await recordAction(tx, {
        tenantId,
        actor: name,
        action: 'bulk_action.stop',
        targetType: 'bulk_action',
        targetId: id,
        details: { verb: row.verb },
      });
    });
    queue.notifyChanged();
  },
);
