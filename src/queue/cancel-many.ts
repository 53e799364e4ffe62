import type { BatchCounts } from '../core/bulk.ts';
import { storedReason } from '../core/system-cancel-reasons.ts';
import type { Database } from '../db/database.ts';
import type { Notifier } from '../db/notifier.ts';
import { cancelHeld } from './cancel-held.ts';
import { inBatches, type ManyJobs } from './many-jobs.ts';
import { notifyCanceled, notifyReady } from './notifications.ts';
import type { PendingCancelFinisher } from './pending-cancel-finisher.ts';
import type { Pipelines } from './pipelines.ts';
import { recordBatch } from './record-batch.ts';

/**
 * Cancels many: queued ones end, running ones are asked. Each batch is a transaction and recorded with the
 * actor.
 * @param reason kept on the jobs; null names the actor
 */
export async function cancelMany(
  db: Database,
  notifier: Notifier,
  ender: PendingCancelFinisher,
  pipelines: Pipelines,
  jobs: ManyJobs,
  reason: string | null,
): Promise<BatchCounts> {
  const said = storedReason(jobs.by, reason);
  const released = { ready: false, pendingCancels: false };
  const counts = await inBatches(db, jobs, {
    payloadSubjects: pipelines.payloadSubjects,
    work: async (tx, rows) => {
      const done = await cancelHeld(tx, pipelines, jobs.tenantId, rows, said);
      released.ready ||= done.released.ready;
      released.pendingCancels ||= done.released.pendingCancels;
      const counts: BatchCounts = {
        changedCount: done.canceled.length,
        requestedCount: done.requested.length,
        skipped: { asked_before: done.askedBefore.length, ended: done.final.length },
      };
      const batch = { counts, touched: [...done.canceled, ...done.requested] };
      await recordBatch(tx, jobs, 'jobs.cancel', batch, { reason: said });
      return batch;
    },
    committed: (touched) => notifyCanceled(notifier, touched),
  });
  if (released.ready) notifyReady(notifier);
  if (released.pendingCancels) await ender.end();
  return counts;
}
