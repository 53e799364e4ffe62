import { DomainError } from '../../src/core/errors.ts';
import type { Lease } from '../../src/core/queue.ts';
import type { Transaction } from '../../src/db/database.ts';
import { holdLease } from '../../src/db/sql/domain/hold-lease.ts';

/**
 * Keeps the job from being taken away until the transaction ends. To be called last, since the row is locked from here on and a
 * locked lease is not renewed.
 * @throws DomainError `LostLease` when another run has it already
 */
export async function hold(tx: Transaction, tenantId: string, { jobId, runNo, token }: Lease): Promise<void> {
  const { rowCount } = await tx.query(holdLease, [tenantId, jobId, runNo, token]);
  if (rowCount === 1) return;
  throw new DomainError('LostLease', `Run ${runNo} of job ${jobId} does not hold its lease any more.`, {
    jobId,
    runNo,
  });
}
