import type { BatchCounts } from '../core/bulk.ts';
import type { Database } from '../db/database.ts';
import type { Notifier } from '../db/notifier.ts';
import { reviveRest } from './dependencies-release.ts';
import { inBatches, type ManyJobs } from './many-jobs.ts';
import { notifyReady } from './notifications.ts';
import type { Pipelines } from './pipelines.ts';
import { recordBatch } from './record-batch.ts';
import { retryHeld } from './retry-held.ts';

/**
 * Retries many; whatever may not be retried is counted and left. Each batch is a transaction and recorded
 * with the actor.
 * @param spreadSeconds they become ready at random times within N seconds; 0 for now
 */
export async function retryMany(
  db: Database,
  notifier: Notifier,
  pipelines: Pipelines,
  jobs: ManyJobs,
  spreadSeconds: number,
): Promise<BatchCounts> {
  const revivedEdge = new Set<string>();
  const counts = await inBatches(db, jobs, {
    payloadSubjects: pipelines.payloadSubjects,
    work: async (tx, rows) => {
      const done = await retryHeld(tx, pipelines, jobs.tenantId, rows, spreadSeconds);
      for (const id of done.revivedEdge) revivedEdge.add(id);
      const succeeded = done.wrongState.filter((row) => row.status === 'succeeded').length;
      const counts: BatchCounts = {
        changedCount: done.queued.length,
        requestedCount: 0,
        skipped: {
          succeeded,
          queued: done.wrongState.length - succeeded,
          still_running: done.stillRunning.length,
          active_duplicate: done.duplicates.length,
        },
      };
      const batch = { counts, touched: done.queued };
      await recordBatch(tx, jobs, 'jobs.retry', batch, { spreadSeconds });
      return batch;
    },
    committed: () => notifyReady(notifier),
  });
  if (revivedEdge.size > 0) {
    await reviveRest(db, pipelines, [...revivedEdge]);
    notifyReady(notifier);
  }
  return counts;
}
