import type { Actor } from '../core/actor.ts';
import type { ReadDatabase } from '../db/prisma.ts';
import { listWorkers, type WorkerRow } from '../db/sql/operations/list-workers.ts';
import { requireRole } from '../jobs/require-role.ts';

export type { WorkerRow } from '../db/sql/operations/list-workers.ts';

/** A worker is stale when it has not been heard of for this long; its jobs' leases end by themselves. */
export const STALE_AFTER_SECONDS = 30;

/**
 * The worker processes that are known, newest first, at most 1000: those of all tenants.
 * @throws DomainError `Forbidden`
 */
export async function findWorkers(reads: ReadDatabase, actor: Actor): Promise<readonly WorkerRow[]> {
  requireRole(actor, 'super_admin', 'see the workers, which serve every tenant');
  return await readWorkers(reads, actor.tenantId);
}

/** The same for one that has been asked already. */
export async function readWorkers(reads: ReadDatabase, tenantId: string): Promise<readonly WorkerRow[]> {
  const transaction = reads.read({ role: 'admin', tenantId });
  try {
    return await transaction.query<WorkerRow>(listWorkers, [STALE_AFTER_SECONDS]);
  } finally {
    await transaction.close();
  }
}
