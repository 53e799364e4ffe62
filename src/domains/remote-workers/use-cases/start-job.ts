import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import type { Lease } from '../../../core/queue.ts';
import type { RemoteDeps } from './deps.ts';
import { checkLease, tenantServedBy } from './lease.ts';

/**
 * Notes that a claimed job begins now: its time limit counts from here. For workers that claim ahead;
 * otherwise it began with its claim.
 * @throws DomainError `Forbidden` `InvalidArgument` `LostLease`
 */
export const startJob = defineUseCase(
  { name: 'startJob', role: 'worker', scope: 'jobs:write', toDo: 'start jobs', cost: 2 },
  async ({ remote }: RemoteDeps, actor: Caller, given: Lease): Promise<void> => {
    const lease = checkLease(given);
    await remote.holding(lease, tenantServedBy(actor));
    await remote.start(lease);
  },
);
