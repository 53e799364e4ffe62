import DataLoader from 'dataloader';
import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import type { ReadDatabase } from '../../../db/prisma.ts';
import { measureTenants, type TenantQueueRow } from '../sql/measure-tenants.ts';

/** Jobs of one kind that are counted; more are said to be at least as many. */
export const MAX_COUNTED = 10_000;

/** How the queue of one tenant stands. */
export interface TenantQueue extends TenantQueueRow {
  readonly isComplete: boolean;
}

/** How tenants' queues stand, many in one statement. */
export function tenantQueues(
  reads: ReadDatabase,
  asTenantId: string,
): DataLoader<string, TenantQueue | null> {
  return new DataLoader(async (ids) => {
    const transaction = reads.read({ role: 'admin', tenantId: asTenantId });
    try {
      const rows = await transaction.query<TenantQueueRow>(measureTenants, [ids, MAX_COUNTED]);
      const byId = new Map(rows.map((row) => [row.tenantId, row]));
      return ids.map((id) => withCompleteness(byId.get(id)));
    } finally {
      await transaction.close();
    }
  });
}

/** @throws DomainError `Forbidden` */
export const readTenantQueue = defineUseCase(
  {
    name: 'readTenantQueue',
    role: 'super_admin',
    scope: 'admin',
    toDo: 'see the queues of tenants',
    cost: 1,
  },
  async (queues: DataLoader<string, TenantQueue | null>, _caller: Caller, id: string) => queues.load(id),
);

function withCompleteness(row: TenantQueueRow | undefined): TenantQueue | null {
  if (row === undefined) return null;
  const isComplete =
    Math.max(row.readyCount, row.delayedCount, row.waitingCount, row.runningCount) < MAX_COUNTED;
  return { ...row, isComplete };
}
