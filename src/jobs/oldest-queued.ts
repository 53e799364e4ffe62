import type { Caller } from '../access/caller.ts';
import { defineUseCase } from '../access/use-case.ts';
import type { ReadTransaction } from '../db/prisma.ts';
import { type OldestQueuedRow, oldestQueued } from '../db/sql/read/oldest-queued.ts';

/** For how many seconds the tenant's job that is due longest has been waiting; null when none is due. */
export const oldestQueuedAge = defineUseCase(
  { name: 'oldestQueuedAge', role: 'member', scope: 'jobs:read', toDo: 'read jobs' },
  async (reads: ReadTransaction, { tenantId }: Caller): Promise<number | null> => {
    const [row] = await reads.query<OldestQueuedRow>(oldestQueued, [tenantId]);
    return row?.age_seconds ?? null;
  },
);
