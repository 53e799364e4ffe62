import type { Database, Transaction } from '../db/database.ts';
import { sqlState } from '../db/retryable.ts';
import { lockFreeJobs } from '../db/sql/queue/lock-free-jobs.ts';
import { type LockedJobRow, lockJobs } from '../db/sql/queue/lock-jobs.ts';
import { setLockTimeout } from '../db/sql/set-lock-timeout.ts';

/** How long an operator's verb waits for a row that somebody's open transaction holds. */
export const OPERATOR_WAIT_MS = 2_000;

export interface Holding {
  readonly tenantId: string;
  readonly ids: readonly string[];
  readonly waitMs: number;
  /** Types of subjects whose jobs' payloads are read; none by default. */
  readonly payloadSubjects?: readonly string[];
  /** Leave out what others hold, without waiting; false by default. */
  readonly onlyFree?: boolean;
}

/**
 * Runs `work` in a transaction of the API role that holds the jobs, locked in id order. `work` may run more
 * than once.
 * @returns what `work` returns, or `busy` when a lock was waited for in vain: nothing is done then
 */
export async function holdingJobs<T>(
  db: Database,
  { tenantId, ids, waitMs, onlyFree = false, payloadSubjects = [] }: Holding,
  work: (tx: Transaction, rows: readonly LockedJobRow[]) => Promise<T>,
): Promise<T | 'busy'> {
  try {
    return await db.transaction({ role: 'api', tenantId }, async (tx) => {
      await tx.query(setLockTimeout, [`${waitMs}ms`]);
      const lock = onlyFree ? lockFreeJobs : lockJobs;
      const { rows } = await tx.query<LockedJobRow>(lock, [tenantId, ids, payloadSubjects]);
      return await work(tx, rows);
    });
  } catch (error) {
    if (sqlState(error) === '55P03') return 'busy';
    throw error;
  }
}
