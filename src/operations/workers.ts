import type { Caller } from '../access/caller.ts';
import { defineUseCase } from '../access/use-case.ts';
import { SYSTEM_TENANT_ID } from '../core/ids.ts';
import type { ReadDatabase } from '../db/prisma.ts';
import { listWorkers, type WorkerRow } from '../db/sql/operations/list-workers.ts';
import { type WorkerRunsRow, workerRuns } from '../db/sql/read/worker-runs.ts';

export type { WorkerRow } from '../db/sql/operations/list-workers.ts';

/** A worker is stale when it has not been seen for this long; its jobs' leases end by themselves. */
export const STALE_AFTER_SECONDS = 30;

/**
 * The worker processes that are known, newest first, at most 1000: those of all tenants.
 * @throws DomainError `Forbidden`
 */
export const findWorkers = defineUseCase(
  {
    name: 'findWorkers',
    role: 'super_admin',
    scope: 'admin',
    toDo: 'see the workers, which serve every tenant',
    cost: 50,
  },
  (reads: ReadDatabase, { tenantId }: Caller) => readWorkers(reads, tenantId),
);

/** The same for the stream of them, whose subscribers have been checked. */
export async function readWorkers(
  reads: ReadDatabase,
  tenantId: string = SYSTEM_TENANT_ID,
): Promise<readonly WorkerRow[]> {
  const transaction = reads.read({ role: 'admin', tenantId });
  try {
    return await transaction.query<WorkerRow>(listWorkers, [STALE_AFTER_SECONDS]);
  } finally {
    await transaction.close();
  }
}

/** What workers run at the moment, by their names; those that run nothing have an empty list. */
export async function readWorkerRuns(
  reads: ReadDatabase,
  names: readonly string[],
  tenantId: string = SYSTEM_TENANT_ID,
): Promise<ReadonlyMap<string, readonly WorkerRunsRow[]>> {
  const transaction = reads.read({ role: 'admin', tenantId });
  try {
    const rows = await transaction.query<WorkerRunsRow>(workerRuns, [names]);
    return Map.groupBy(rows, ({ workerId }) => workerId);
  } finally {
    await transaction.close();
  }
}
