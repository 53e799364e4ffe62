import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { DomainError } from '../../../core/errors.ts';
import type { Lease } from '../../../core/queue.ts';
import type { HeldRun } from '../../../core/remote-work.ts';
import type { RemoteDeps } from './deps.ts';
import { endThrown } from './end-run.ts';
import { checkLeases, tenantServedBy } from './lease.ts';
import { noteRemoteWorker } from './worker-id.ts';

/**
 * How a lease stands. `cancel_requested`: renewed, but end the job soon. `lost`: somebody else has the job;
 * drop it. `timed_out`: it ran longer than it may, and has been ended; drop it.
 */
export const LEASE_STATES = ['renewed', 'cancel_requested', 'lost', 'timed_out'] as const;
export type LeaseState = (typeof LEASE_STATES)[number];

export interface Heartbeat {
  readonly jobId: string;
  readonly state: LeaseState;
  /** Null for a lease that is gone. */
  readonly leaseExpiresAt: Date | null;
  /** What was given as the reason of the cancel. */
  readonly cancelReason: string | null;
}

/**
 * Renews the leases of a worker's runs, and says which of them are to be canceled and which are lost. A lease
 * that has ended is renewed too, as long as nobody has claimed the job.
 * @returns one for each lease, in order
 * @throws DomainError `Forbidden` `InvalidArgument`
 */
export const heartbeatJobs = defineUseCase(
  { name: 'heartbeatJobs', role: 'worker', scope: 'jobs:write', toDo: 'renew leases', cost: 2 },
  async (
    deps: RemoteDeps,
    actor: Caller,
    worker: string | null,
    given: readonly Lease[],
  ): Promise<readonly Heartbeat[]> => {
    const leases = checkLeases(given);
    const { remote } = deps;
    const held = await remote.held(leases, tenantServedBy(actor));
    const isOver = ({ ranMs, timeoutSeconds }: HeldRun): boolean => (ranMs ?? 0) > timeoutSeconds * 1_000;
    const over = new Set([...held.values()].filter(isOver));
    for (const run of over) await endOverdue(deps, run);
    const renewing = [...held.values()].filter((run) => !over.has(run));
    const { lost, cancelRequested } = await remote.heartbeat(
      renewing.map(({ lease }) => lease),
      renewing.map(({ leaseSeconds }) => leaseSeconds),
    );
    if (worker !== null)
      await noteRemoteWorker(deps, actor, { worker, runningCount: renewing.length - lost.length });
    return leases.map(({ jobId }) => {
      const run = held.get(jobId);
      if (run === undefined || lost.includes(jobId))
        return { jobId, state: 'lost', leaseExpiresAt: null, cancelReason: null };
      if (over.has(run)) return { jobId, state: 'timed_out', leaseExpiresAt: null, cancelReason: null };
      const isCanceled = cancelRequested.includes(jobId);
      return {
        jobId,
        state: isCanceled ? 'cancel_requested' : 'renewed',
        leaseExpiresAt: new Date(run.nowMs + run.leaseSeconds * 1_000),
        cancelReason: isCanceled ? run.job.reason : null,
      };
    });
  },
);

/**
 * Nobody renews the lease of a run that is over its time: it ends as timed out, and is tried again by its
 * policy.
 */
async function endOverdue(deps: RemoteDeps, run: HeldRun): Promise<void> {
  const error = new Error(`The run took longer than its ${run.timeoutSeconds} s.`);
  error.name = 'TimedOut';
  try {
    await endThrown(deps, run, error, true);
  } catch (thrown) {
    if (!(thrown instanceof DomainError && thrown.code === 'LostLease')) throw thrown;
  }
}
