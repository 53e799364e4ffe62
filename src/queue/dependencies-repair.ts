import type { Repair } from '../core/maintenance-queue.ts';
import { WATCH_CHANNEL, WORK_CHANNEL } from '../db/channels.ts';
import type { Database } from '../db/database.ts';
import type { Notifier } from '../db/notifier.ts';
import {
  type RepairRow,
  repairDependents as repairStatement,
} from '../db/sql/maintenance/repair-dependents.ts';
import { finishPendingCancels } from './pending-cancel-finisher.ts';
import type { Pipelines } from './pipelines.ts';

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Looks at waiting jobs and releases or cancels those whose parents have all ended. For the maintenance
 * leader: a net under the settling transactions, which should leave nothing to it.
 * @param limit waiting jobs that this call looks at
 * @param after the `next` of the last call; null begins with the first
 */
export async function repairDependents(
  db: Database,
  notifier: Pick<Notifier, 'notify'>,
  pipelines: Pipelines,
  limit: number,
  after: string | null = null,
): Promise<Repair> {
  const { rows } = await db.asWorker<RepairRow>(repairStatement, [after ?? FIRST_ID, limit]);
  const repairedCount = rows[0]?.repaired_count ?? 0;
  if (repairedCount > 0) {
    notifier.notify(WORK_CHANNEL);
    notifier.notify(WATCH_CHANNEL);
    await finishPendingCancels(db, notifier, pipelines, limit);
  }
  return { repairedCount, next: rows[0]?.last_id ?? null };
}
