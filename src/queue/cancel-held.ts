import { isFinal } from '../core/states.ts';
import type { Transaction } from '../db/database.ts';
import { toJob } from '../db/rows.ts';
import { cancelQueuedJobs } from '../db/sql/queue/cancel-queued-jobs.ts';
import type { LockedJobRow } from '../db/sql/queue/lock-jobs.ts';
import { requestCancels } from '../db/sql/queue/request-cancels.ts';
import { type Released, releaseDependents } from './dependencies-release.ts';
import type { Pipelines } from './pipelines.ts';

/** What a cancel did to jobs that its transaction holds. */
export interface CanceledJobs {
  readonly canceled: readonly LockedJobRow[];
  /** Running; their workers are to be notified after the commit. */
  readonly requested: readonly LockedJobRow[];
  /** Running, and asked before. */
  readonly askedBefore: readonly LockedJobRow[];
  readonly final: readonly LockedJobRow[];
  /** What the end of the canceled ones did to those that waited for them. */
  readonly released: Released;
}

/**
 * Cancels jobs of one tenant that the transaction holds: queued ones end through the finish step, running
 * ones are asked.
 * @param said the reason, kept on the jobs
 */
export async function cancelHeld(
  tx: Transaction,
  pipelines: Pipelines,
  tenantId: string,
  rows: readonly LockedJobRow[],
  said: string,
): Promise<CanceledJobs> {
  const running = rows.filter((row) => row.status === 'running');
  const done = {
    canceled: rows.filter((row) => row.status === 'queued'),
    requested: running.filter((row) => row.cancel_requested_at === null),
    askedBefore: running.filter((row) => row.cancel_requested_at !== null),
    final: rows.filter((row) => isFinal(row.status)),
  };
  if (done.requested.length > 0)
    await tx.query(requestCancels, [tenantId, done.requested.map((row) => row.id), said]);
  if (done.canceled.length > 0) {
    await tx.query(cancelQueuedJobs, [tenantId, done.canceled.map((row) => row.id), said]);
    for (const row of done.canceled) {
      const job = toJob(row);
      const settlement = { status: 'canceled', reason: said } as const;
      await pipelines.onFinal(job, row.definition_key, settlement)?.apply(tx);
    }
  }
  const released = await releaseDependents(
    tx,
    done.canceled.map((row) => row.id),
  );
  return { ...done, released };
}
