import type { Database, Transaction } from '../db/database.ts';
import { toJob } from '../db/rows.ts';
import { releaseDependents as releaseStatement } from '../db/sql/queue/release-dependents.ts';
import { type RevivedRow, reviveDependents as reviveStatement } from '../db/sql/queue/revive-dependents.ts';
import type { Pipelines } from './pipelines.ts';

/** What the end of jobs did to those that waited for them. */
export interface Released {
  /** Some are ready to run: notify workers after the commit. */
  readonly ready: boolean;
  /** Some are to be canceled: `PendingCancelFinisher.end()` after the commit. */
  readonly pendingCancels: boolean;
}

/** Jobs that one transaction brings back. */
const REVIVE_BATCH = 500;

/**
 * Releases or cancels the dependents of jobs that this transaction has moved to a final state, in an earlier
 * statement. Code that ends jobs calls it, unless `settle_runs` did it for them. The children are held until
 * the commit.
 */
export async function releaseDependents(tx: Transaction, endedIds: readonly string[]): Promise<Released> {
  if (endedIds.length === 0) return { ready: false, pendingCancels: false };
  const { rows } = await tx.query<Released>(releaseStatement, [endedIds]);
  return { ready: rows[0]?.ready ?? false, pendingCancels: rows[0]?.pendingCancels ?? false };
}

/**
 * Brings back the jobs that the end of others had ended, when an operator has put those others back into the
 * queue in an earlier statement of this transaction; and counts what they themselves wait for. Applies what
 * the pipelines say to it.
 * @returns the ids whose own dependents are still to be brought back: give them to `reviveRest` after the
 *   commit
 */
export async function reviveDependents(
  tx: Transaction,
  pipelines: Pipelines,
  retriedIds: readonly string[],
): Promise<readonly string[]> {
  if (retriedIds.length === 0) return [];
  const { rows } = await tx.query<RevivedRow>(reviveStatement, [retriedIds, REVIVE_BATCH]);
  for (const row of rows) {
    const job = toJob(row);
    await pipelines.onRequeue(job, row.definition_key)?.apply(tx);
  }
  return rows.filter((row) => row.is_edge).map((row) => row.id);
}

/**
 * Goes on with `reviveDependents` in transactions of their own, so that a long chain is never held by one.
 */
export async function reviveRest(
  db: Database,
  pipelines: Pipelines,
  edgeIds: readonly string[],
): Promise<void> {
  let ids = edgeIds;
  while (ids.length > 0) {
    const from = ids;
    ids = await db.transaction({ role: 'worker' }, (tx) => reviveDependents(tx, pipelines, from));
  }
}
