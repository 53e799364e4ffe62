import type { BatchCounts } from '../core/bulk.ts';
import { storedReason } from '../core/doom.ts';
import type { Bell } from '../db/bell.ts';
import type { Database } from '../db/database.ts';
import { cancelHeld } from './cancel-held.ts';
import type { DoomedEnder } from './doomed.ts';
import { inBatches, type ManyJobs } from './many-jobs.ts';
import { recordBatch } from './record-batch.ts';
import { ringCanceled, ringReady } from './rings.ts';

/**
 * Cancels many: queued ones end, running ones are asked. Each batch is a transaction and recorded with the actor.
 * @param reason kept on the jobs; null names the actor
 */
export async function cancelMany(
  db: Database,
  bell: Bell,
  ender: DoomedEnder,
  jobs: ManyJobs,
  reason: string | null,
): Promise<BatchCounts> {
  const said = storedReason(jobs.by, reason);
  const released = { ready: false, doomed: false };
  const counts = await inBatches(db, jobs, {
    work: async (tx, rows) => {
      const done = await cancelHeld(tx, jobs.tenantId, rows, said);
      released.ready ||= done.released.ready;
      released.doomed ||= done.released.doomed;
      const counts: BatchCounts = {
        changedCount: done.canceled.length,
        requestedCount: done.requested.length,
        skipped: { asked_before: done.askedBefore.length, ended: done.final.length },
      };
      const batch = { counts, touched: [...done.canceled, ...done.requested] };
      await recordBatch(tx, jobs, 'jobs.cancel', batch, { reason: said });
      return batch;
    },
    committed: (touched) => ringCanceled(bell, touched),
  });
  if (released.ready) ringReady(bell);
  if (released.doomed) await ender.end();
  return counts;
}
