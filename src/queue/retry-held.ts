import type { Transaction } from '../db/database.ts';
import { toJob } from '../db/rows.ts';
import type { LockedJobRow } from '../db/sql/queue/lock-jobs.ts';
import { type RetriedJobRow, retryJobs } from '../db/sql/queue/retry-jobs.ts';
import { reviveDependents } from './dependencies-release.ts';
import type { Pipelines } from './pipelines.ts';

/** What a retry did to jobs that its transaction holds. */
export interface RetriedJobs {
  readonly queued: readonly LockedJobRow[];
  /** Running, or about to be ended. */
  readonly stillRunning: readonly LockedJobRow[];
  /** Another active job has their dedupe key. */
  readonly duplicates: readonly LockedJobRow[];
  /** Queued or succeeded: neither is retried. */
  readonly wrongState: readonly LockedJobRow[];
  /**
   * Jobs that came back with them and whose own dependents are still to come back: `reviveRest` after the
   * commit.
   */
  readonly revivedEdge: readonly string[];
}

/**
 * Puts jobs of one tenant that the transaction holds back into the queue, with a fresh budget.
 * @param spreadSeconds they become ready at random times within N seconds; 0 for now
 * @throws a unique violation (23505) when a rival with a job's dedupe key commits meanwhile
 */
export async function retryHeld(
  tx: Transaction,
  pipelines: Pipelines,
  tenantId: string,
  rows: readonly LockedJobRow[],
  spreadSeconds: number,
): Promise<RetriedJobs> {
  const asked = rows.filter(isRetryable);
  const back =
    asked.length === 0
      ? { rows: [] }
      : await tx.query<RetriedJobRow>(retryJobs, [tenantId, asked.map((row) => row.id), spreadSeconds]);
  const ids = new Set(back.rows.map((row) => row.id));
  const done = {
    queued: asked.filter((row) => ids.has(row.id)),
    duplicates: asked.filter((row) => !ids.has(row.id)),
    stillRunning: rows.filter(isUnderWay),
    wrongState: rows.filter((row) => !isRetryable(row) && !isUnderWay(row)),
  };
  for (const row of done.queued) {
    const job = toJob(row);
    await pipelines.onRequeue(job, row.definition_key)?.apply(tx);
  }
  const revivedEdge = await reviveDependents(
    tx,
    pipelines,
    done.queued.map((row) => row.id),
  );
  return { ...done, revivedEdge };
}

function isRetryable({ status }: LockedJobRow): boolean {
  return status === 'failed' || status === 'dead_letter' || status === 'canceled';
}

/** A queued job that is doomed is about to end, as a running one that was asked to. */
function isUnderWay({ status, cancel_requested_at }: LockedJobRow): boolean {
  return status === 'running' || (status === 'queued' && cancel_requested_at !== null);
}
