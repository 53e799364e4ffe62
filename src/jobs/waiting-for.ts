import { explainWait, type WaitingFor } from '../core/waiting.ts';
import type { ReadTransaction } from '../db/prisma.ts';
import { type WaitingRow, waitingFor } from '../db/sql/read/waiting-for.ts';

/**
 * What each of these jobs of the transaction's tenant waits for, in one statement; null for one that is not
 * queued.
 */
export async function findWaits(
  reads: ReadTransaction,
  jobIds: readonly string[],
): Promise<readonly (WaitingFor | null)[]> {
  const rows = await reads.query<WaitingRow>(waitingFor, [jobIds]);
  const byJob = new Map(rows.map((row) => [row.jobId, explainWait(row)]));
  return jobIds.map((id) => byJob.get(id) ?? null);
}
