import { deepStrictEqual, ok } from 'node:assert';
import fc from 'fast-check';
import { PermanentError } from '../../src/core/errors.ts';
import { done, skipped, snoozed } from '../../src/core/outcome.ts';
import type { Finish, RunMeasure } from '../../src/core/queue.ts';
import { RunAborted, shuttingDownRun, timedOutRun } from '../../src/runs/abort-reason.ts';
import { type Ended, finishOf } from '../../src/runs/normalise.ts';
import { finishWithoutRunning } from '../../src/runs/preflight.ts';
import { type Command, command, jobsWhere, pick } from './command.ts';
import { definitionOf } from './definitions.ts';
import {
  claimable,
  claimed as claimedInModel,
  DEFINITION_KEYS,
  type DefinitionKey,
  type Ending,
  ended,
  endedUnrun,
  modelJob,
  WORKER_COUNT,
} from './model.ts';
import { definitionIds, type Held, letGo, type System, workerName } from './system.ts';

const RAN: RunMeasure = { startedAtMs: Date.now(), wallMs: 5, cpuMs: null };
const NEVER_RAN: RunMeasure = { startedAtMs: null, wallMs: 0, cpuMs: null };

const claim = fc
  .record({
    worker: fc.nat(WORKER_COUNT - 1),
    limit: fc.integer({ min: 1, max: 4 }),
    keys: fc.subarray([...DEFINITION_KEYS], { minLength: 1 }),
  })
  .map(({ worker, limit, keys }) =>
    command(
      `claim(worker ${worker}, ${limit} of ${keys.join(' and ')})`,
      (model) => model.jobs.size > 0,
      async (model, system) => {
        const open = claimable(model, keys);
        const { jobs } = await system.queue.claim({
          workerId: workerName(worker),
          definitionIds: definitionIds(system, keys),
          limit,
          after: null,
        });
        ok(jobs.length <= limit, `${jobs.length} jobs claimed, ${limit} asked for`);
        ok(open.length === 0 || jobs.length > 0, `nothing claimed although ${open.length} jobs are ready`);
        ok(
          inOrder(
            system,
            open,
            jobs.map(({ job }) => job.id),
          ),
          'a job was claimed before a better one of its lane',
        );
        for (const job of jobs) {
          ok(open.includes(job.job.id), `job ${job.job.id} is not to be claimed`);
          claimedInModel(model, job.job.id, worker);
          deepStrictEqual(job.lease.runNo, modelJob(model, job.job.id).runNo);
          // A worker that gets a job again has lost the run that it had of it.
          for (const older of system.held.filter((held) => held.claimed.job.id === job.job.id))
            letGo(system, older);
          system.held.push({ worker, claimed: job });
        }
      },
    ),
  );

/** No job of a lane is left behind that comes before one that was taken. */
function inOrder(system: System, open: readonly string[], taken: readonly string[]): boolean {
  const rank = (id: string): readonly [string, number, number, string] => {
    const row = system.rows.get(id);
    const whole = JSON.parse(row?.whole ?? '{}');
    return [
      `${whole.tenant_id} ${whole.definition_id}`,
      whole.priority,
      row?.scheduled_for.getTime() ?? 0,
      id,
    ];
  };
  const left = open.filter((id) => !taken.includes(id)).map(rank);
  // Times are compared to the millisecond here and to the microsecond there: equal ones prove nothing.
  return taken
    .map(rank)
    .every(([lane, priority, time]) =>
      left.every(
        ([otherLane, otherPriority, otherTime]) =>
          lane !== otherLane || otherPriority > priority || (otherPriority === priority && otherTime >= time),
      ),
    );
}

const heartbeat = fc.nat(WORKER_COUNT - 1).map((worker) =>
  command(
    `heartbeat(worker ${worker})`,
    (model) => jobsWhere(model, (job) => job.worker === worker).length > 0,
    async (model, system) => {
      const mine = system.held.filter((held) => held.worker === worker);
      const result = await system.queue.heartbeat(
        mine.map(({ claimed }) => claimed.lease),
        mine.map(({ claimed }) => claimed.leaseSeconds),
      );
      const isLive = ({ claimed: { lease } }: Held): boolean => {
        const job = modelJob(model, lease.jobId);
        return job.status === 'running' && job.runNo === lease.runNo;
      };
      const ids = (list: readonly Held[]): string[] => list.map(({ claimed }) => claimed.lease.jobId).sort();
      deepStrictEqual([...result.lost].sort(), ids(mine.filter((held) => !isLive(held))));
      deepStrictEqual(result.busy, []);
      deepStrictEqual(
        [...result.cancelRequested].sort(),
        ids(mine.filter((held) => isLive(held) && modelJob(model, held.claimed.lease.jobId).cancelRequested)),
      );
      for (const held of mine) {
        // A lease that has ended is renewed too as long as nobody claimed the job.
        if (isLive(held)) modelJob(model, held.claimed.lease.jobId).leaseEnded = false;
        else letGo(system, held);
      }
    },
  ),
);

const start = fc.nat(99).map((n) =>
  command(
    `start(#${n})`,
    (model) => model.jobs.size > 0,
    async (model, system) => {
      if (system.held.length === 0) return;
      const held = pick(system.held, n);
      const { lease } = held.claimed;
      const job = modelJob(model, lease.jobId);
      const isLive = job.status === 'running' && job.runNo === lease.runNo;
      deepStrictEqual(await system.queue.holds(lease), isLive);
      deepStrictEqual(await system.queue.start(lease), isLive);
      if (isLive) model.touched.add(lease.jobId);
      else letGo(system, held);
    },
  ),
);

const ENDINGS: readonly Ending[] = [
  'done',
  'skipped',
  'error',
  'timeout',
  'permanent',
  'canceled',
  'snooze',
  'shutdown',
];
const ending = fc.constantFrom(...ENDINGS, 'error', 'error', 'snooze');

/**
 * A worker's run ends, and it settles it as the runtime would; when its lease is gone, nothing may change.
 */
const finish = fc.record({ n: fc.nat(99), ending }).map(({ n, ending: how }) =>
  command(
    `finish(#${n}, ${how})`,
    (model) => model.jobs.size > 0,
    async (model, system) => {
      if (system.held.length === 0) return;
      const held = pick(system.held, n);
      const { job: asClaimed, lease } = held.claimed;
      const job = modelJob(model, lease.jobId);
      letGo(system, held);
      if (job.status !== 'running' || job.runNo !== lease.runNo) return settleStale(system, held, how);
      const unrun = finishWithoutRunning(held.claimed);
      if (unrun !== null) {
        deepStrictEqual(await system.queue.finish(held.claimed, unrun, NEVER_RAN), 'settled');
        ok(endedUnrun(model, lease.jobId) !== null, `run ${lease.runNo} of ${asClaimed.id} was to be run`);
        return;
      }
      const asked = job.cancelRequested;
      const status = ended(model, lease.jobId, how);
      const result = await system.queue.finish(held.claimed, finishFor(held, how), RAN);
      const goesBack = asked && status === 'canceled' && how !== 'canceled';
      deepStrictEqual(result, goesBack ? 'cancelRequested' : 'settled');
      if (!goesBack) return;
      const canceled: Finish = { kind: 'final', settlement: { status: 'canceled', reason: 'no more' } };
      deepStrictEqual(await system.queue.finish(held.claimed, canceled, RAN), 'settled');
    },
  ),
);

/** A run whose lease is long gone says how it ended, in any way. */
const finishStale = fc.record({ n: fc.nat(99), ending }).map(({ n, ending: how }) =>
  command(
    `finishStale(#${n}, ${how})`,
    (model) => model.jobs.size > 0,
    async (_model, system) => {
      if (system.stale.length > 0) await settleStale(system, pick(system.stale, n), how);
    },
  ),
);

async function settleStale(system: System, held: Held, how: Ending): Promise<void> {
  deepStrictEqual(await system.queue.holds(held.claimed.lease), false);
  deepStrictEqual(await system.queue.finish(held.claimed, finishFor(held, how), RAN), 'notOwner');
}

/** What the runtime makes of it: budget, policy and all. */
function finishFor({ claimed }: Held, how: Ending): Finish {
  const finished = finishOf({
    ...endedAs(how, claimed.definitionKey as DefinitionKey),
    lost: false,
    heldMs: 5,
    job: claimed.job,
    definition: definitionOf(claimed.definitionKey as DefinitionKey),
    random: 0.5,
  });
  if (finished === null) throw new Error(`there is nothing to write about ${how}`);
  return finished;
}

function endedAs(
  how: Ending,
  key: DefinitionKey,
): { readonly ended: Ended; readonly aborted: RunAborted | null } {
  const threw = (error: Error): Ended => ({ kind: 'threw', error });
  switch (how) {
    case 'done':
      return { ended: { kind: 'returned', outcome: done({ fine: true }) }, aborted: null };
    case 'skipped':
      return { ended: { kind: 'returned', outcome: skipped('nothing to do') }, aborted: null };
    case 'snooze':
      return { ended: { kind: 'returned', outcome: snoozed(key === 'eager' ? 0 : 3600) }, aborted: null };
    case 'error':
      return { ended: threw(new Error('it broke')), aborted: null };
    case 'permanent':
      return { ended: threw(new PermanentError('Bad', 'it never works')), aborted: null };
    case 'canceled':
      return { ended: threw(new Error('stopped')), aborted: new RunAborted('canceled', 'no more') };
    case 'timeout':
      return { ended: threw(new Error('stopped')), aborted: timedOutRun(1) };
    case 'shutdown':
      return { ended: threw(new Error('stopped')), aborted: shuttingDownRun() };
  }
}

export const workerCommands: readonly fc.Arbitrary<Command>[] = [
  claim,
  claim,
  claim,
  heartbeat,
  heartbeat,
  start,
  finish,
  finish,
  finish,
  finishStale,
  finishStale,
];
