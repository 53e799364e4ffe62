import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestQueue, type TestQueue } from '../../support/queue.ts';
import { waitFor } from '../../support/wait.ts';
import { definitions } from './support/definitions.ts';
import { WorkerProcesses } from './support/worker-process.ts';

const JOBS = 1_000;

let q: TestQueue;
let processes: WorkerProcesses;

beforeEach(async () => {
  q = await openTestQueue(definitions);
  processes = await WorkerProcesses.open();
});
afterEach(async () => {
  await processes.close();
  await q.close();
});

test('eight workers in two processes run a thousand jobs of three tenants, each exactly once', async () => {
  const tenants = [await q.makeTenant(), await q.makeTenant(), await q.makeTenant()];
  const started = await Promise.all([
    processes.start(q.url, {}, { workers: 4 }),
    processes.start(q.url, {}, { workers: 4 }),
  ]);
  const ready = await Promise.all(started.map((process) => process.event('ready')));
  const workerIds = ready.flatMap((event) => event.workerIds ?? []);
  expect(new Set(workerIds).size).toBe(8);
  const registered = async (): Promise<number> =>
    (await q.superuser.query('select from millrace.job_workers where worker_id = any ($1)', [workerIds]))
      .rowCount ?? 0;
  await waitFor(async () => (await registered()) === 8, {
    describe: 'all eight to show themselves',
  });

  await q.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, payload)
     select ($1::uuid[])[1 + n % 3], $2, '{"do":"quick"}' from generate_series(1, $3) n`,
    [tenants, q.definitionId('steady'), JOBS],
  );
  const succeeded = async (): Promise<number> =>
    (
      await q.superuser.query(
        `select count(*)::integer as n from millrace.jobs where status = 'succeeded' and attempt_count = 0`,
      )
    ).rows[0].n;
  await waitFor(async () => (await succeeded()) === JOBS, {
    describe: 'every job to succeed',
    pollMs: 50,
  });
  // By the job, not by the run's number: what waits behind a slow run may be handed back and claimed again,
  // and has not run then.
  const ran = (await processes.witnessed()).map((name) => name.split('.')[0]);
  expect(ran).toHaveLength(JOBS);
  expect(new Set(ran).size).toBe(JOBS);
  const { rows } = await q.superuser.query(
    `select count(*)::integer as attempts, count(distinct job_id)::integer as jobs,
            count(*) filter (where status = 'succeeded' and worker_id = any ($1))::integer as good
     from millrace.job_attempts`,
    [workerIds],
  );
  // Who gets how many is the scheduler's affair: a worker that claims ahead may leave another nothing.
  expect(rows).toEqual([{ attempts: JOBS, jobs: JOBS, good: JOBS }]);
});
