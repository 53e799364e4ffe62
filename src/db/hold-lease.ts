import { lostLease } from '../core/lost-lease.ts';
import type { Lease } from '../core/queue.ts';
import type { Transaction } from './database.ts';
import { holdLease } from './sql/worker/hold-lease.ts';

/**
 * Keeps the job from being taken away until the transaction ends. To be called last, since the row is locked
 * from here on and a locked lease is not renewed.
 * @throws DomainError `LostLease` when another run has it already
 */
export async function hold(tx: Transaction, tenantId: string, lease: Lease): Promise<void> {
  const { rowCount } = await tx.query(holdLease, [tenantId, lease.jobId, lease.runNo, lease.token]);
  if (rowCount !== 1) throw lostLease(lease);
}
