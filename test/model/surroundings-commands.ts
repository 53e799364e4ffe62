import { deepStrictEqual } from 'node:assert';
import fc from 'fast-check';
import { type Command, command, jobsWhere, pick } from './command.ts';
import { DEFINITION_KEYS, modelJob, rescued, TENANT_COUNT } from './model.ts';

// What happens around a queue: time passes, workers fall silent, operators pause things.

/** A worker falls silent until its lease is over. */
const leaseEnds = fc.nat(99).map((n) =>
  command(
    `leaseEnds(#${n})`,
    (model) => jobsWhere(model, (job) => job.status === 'running' && !job.leaseEnded).length > 0,
    async (model, system) => {
      const id = pick(
        jobsWhere(model, (job) => job.status === 'running' && !job.leaseEnded),
        n,
      );
      await system.q.superuser.query(
        `update millrace.jobs set lease_expires_at = clock_timestamp() - interval '1 s' where id = $1`,
        [id],
      );
      modelJob(model, id).leaseEnded = true;
      model.touched.add(id);
    },
  ),
);

/** A job's time comes: by the database's clock, which is the only one that counts. */
const timePasses = fc.nat(99).map((n) =>
  command(
    `timePasses(#${n})`,
    (model) => jobsWhere(model, (job) => job.status === 'queued' && !job.due).length > 0,
    async (model, system) => {
      const id = pick(
        jobsWhere(model, (job) => job.status === 'queued' && !job.due),
        n,
      );
      await system.q.superuser.query(
        'update millrace.jobs set scheduled_for = clock_timestamp() where id = $1',
        [id],
      );
      modelJob(model, id).due = true;
      model.touched.add(id);
    },
  ),
);

const rescue = fc.constant(
  command(
    'rescue()',
    (model) => model.jobs.size > 0,
    async (model, system) => {
      const lost = jobsWhere(model, (job) => job.status === 'running' && job.leaseEnded);
      const ids = await system.queue.rescue(100);
      deepStrictEqual([...ids].sort(), [...lost].sort());
      const isAlone = (id: string): boolean => {
        const { worker } = modelJob(model, id);
        return jobsWhere(model, (job) => job.status === 'running' && job.worker === worker).length === 1;
      };
      for (const [id, alone] of lost.map((id) => [id, isAlone(id)] as const)) rescued(model, id, alone);
      // They come back spread over a moment, so that a dead fleet's jobs are no thundering herd. The moment
      // passes.
      await system.q.superuser.query(
        `update millrace.jobs set scheduled_for = clock_timestamp() where id = any ($1) and scheduled_for > clock_timestamp()`,
        [lost],
      );
    },
  ),
);

const pauseTenant = fc
  .record({ tenant: fc.nat(TENANT_COUNT - 1), pause: fc.boolean() })
  .map(({ tenant, pause }) =>
    command(
      `${pause ? 'pause' : 'resume'}(tenant ${tenant})`,
      (model) => model.jobs.size > 0 && model.pausedTenants.has(tenant) !== pause,
      async (model, system) => {
        await system.q.superuser.query(
          'update millrace.tenants set paused_at = case when $2::boolean then now() end where id = $1',
          [system.tenantIds[tenant], pause],
        );
        if (pause) model.pausedTenants.add(tenant);
        else model.pausedTenants.delete(tenant);
      },
    ),
  );

const pauseDefinition = fc
  .record({ key: fc.constantFrom(...DEFINITION_KEYS), pause: fc.boolean() })
  .map(({ key, pause }) =>
    command(
      `${pause ? 'pause' : 'resume'}(${key})`,
      (model) => model.jobs.size > 0 && model.pausedDefinitions.has(key) !== pause,
      async (model, system) => {
        await system.q.superuser.query(
          'update millrace.job_definitions set paused_at = case when $2::boolean then now() end where key = $1',
          [key, pause],
        );
        if (pause) model.pausedDefinitions.add(key);
        else model.pausedDefinitions.delete(key);
      },
    ),
  );

export const surroundingsCommands: readonly fc.Arbitrary<Command>[] = [
  leaseEnds,
  leaseEnds,
  timePasses,
  rescue,
  rescue,
  pauseTenant,
  pauseDefinition,
];
