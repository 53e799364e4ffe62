import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { toError } from '../../../core/errors.ts';
import { checkFilterText } from '../../../core/filter-values.ts';
import type { ClaimedJob, Lease } from '../../../core/queue.ts';
import { checkNumber } from '../../../operations/ranges.ts';
import { claimableDefinitions } from './claimable-definitions.ts';
import type { RemoteDeps } from './deps.ts';
import { endThrown } from './end-run.ts';
import { tenantServedBy } from './lease.ts';
import { openPayload } from './open-payload.ts';
import { noteRemoteWorker, remoteWorkerId } from './worker-id.ts';

export const MAX_CLAIM = 100;
export const MAX_WAIT_SECONDS = 60;
/** A worker that waits is alive; one that is silent for half a minute counts as stale. */
const BEAT_EVERY_MS = 10_000;

export interface ClaimJobsRequest {
  /** What the worker calls itself, another name for each process. */
  readonly worker: string;
  /** Keys of the definitions that it can run. */
  readonly jobTypes: readonly string[];
  /** Free slots: 1 to 100, 1 by default. */
  readonly limit?: number | null | undefined;
  /** 0 to 60; 20 by default. */
  readonly waitSeconds?: number | null | undefined;
  /** Jobs that it runs at this moment; 0 by default. */
  readonly running?: number | null | undefined;
  readonly version?: string | null | undefined;
  readonly concurrency?: number | null | undefined;
}

/** A claimed job, with its payload as its worker gets it. */
export interface RemoteJob {
  readonly claimed: ClaimedJob;
  readonly payload: unknown;
}

/**
 * Claims up to N jobs, and waits for the first where there are none.
 * @param signal fires when the client has left: what is claimed by then goes back
 * @returns no jobs when the time is over
 * @throws DomainError `Forbidden` `InvalidArgument` `UnknownDefinition`
 */
export const claimJobs = defineUseCase(
  { name: 'claimJobs', role: 'worker', scope: 'jobs:write', toDo: 'claim jobs', cost: 2 },
  async (
    deps: RemoteDeps,
    actor: Caller,
    request: ClaimJobsRequest,
    signal?: AbortSignal,
  ): Promise<readonly RemoteJob[]> => {
    const { worker, version, concurrency } = request;
    const limit = request.limit ?? 1;
    const waitSeconds = request.waitSeconds ?? 20;
    const running = request.running ?? 0;
    checkNumber('limit', limit, 1, MAX_CLAIM);
    checkNumber('waitSeconds', waitSeconds, 0, MAX_WAIT_SECONDS);
    checkNumber('running', running, 0, 100_000);
    checkNumber('concurrency', concurrency, 1, 100_000);
    checkFilterText('version', version, 100);
    const workerId = remoteWorkerId(actor, worker);
    const definitions = await claimableDefinitions(deps, actor, request.jobTypes);
    const definitionKeys = definitions.map(({ key }) => key);
    const note = (runningCount: number): Promise<void> =>
      noteRemoteWorker(deps, actor, {
        worker,
        version,
        concurrency,
        definitionKeys,
        runningCount,
      });
    const beat = setInterval(() => void note(running).catch(() => undefined), BEAT_EVERY_MS);
    try {
      const noting = note(running);
      const tenantId = tenantServedBy(actor);
      const claim = { workerId, tenantId, definitions, limit, waitMs: waitSeconds * 1_000, signal };
      // Beside the claim: a job that is there does not wait for what lists show.
      const [jobs] = await Promise.all([deps.remote.claim(claim), noting]);
      const opened = await Promise.all(jobs.map((claimed) => open(deps, claimed)));
      const ready = opened.filter((job) => job !== null);
      if (ready.length > 0) void note(running + ready.length).catch(() => undefined);
      return ready;
    } finally {
      clearInterval(beat);
    }
  },
);

/**
 * The jobs of a claim whose answer got lost, as they are held now.
 * @param leases that it gave; a job whose lease is lost is omitted
 * @throws DomainError `Forbidden`
 */
export const recallClaim = defineUseCase(
  { name: 'recallClaim', role: 'worker', scope: 'jobs:write', toDo: 'claim jobs', cost: 2 },
  async (deps: RemoteDeps, actor: Caller, leases: readonly Lease[]): Promise<readonly RemoteJob[]> => {
    const held = await deps.remote.held(leases, tenantServedBy(actor));
    const opened = await Promise.all([...held.values()].map((run) => open(deps, run)));
    return opened.filter((job) => job !== null);
  },
);

/** A payload that does not fit its schema any more ends the job, as with every worker. */
async function open(deps: RemoteDeps, claimed: ClaimedJob): Promise<RemoteJob | null> {
  try {
    return {
      claimed,
      payload: openPayload(deps, claimed, deps.remote.definition(claimed.job.definitionId)),
    };
  } catch (thrown) {
    const run = await deps.remote.holding(claimed.lease, null);
    await endThrown(deps, run, toError(thrown));
    return null;
  }
}
