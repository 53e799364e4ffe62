import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestQueue, type TestQueue } from '../support/queue.ts';
import { waitFor } from '../support/wait.ts';
import { definitions } from './support/definitions.ts';
import { WorkerProcesses } from './support/worker-process.ts';

const JOBS = 1_000;

let q: TestQueue;
let processes: WorkerProcesses;

beforeAll(async () => {
  q = await openTestQueue(definitions);
  processes = await WorkerProcesses.open();
});
afterAll(async () => {
  await processes.close();
  await q.close();
});

test('eight workers in two processes run a thousand jobs of three tenants, each exactly once', async () => {
  const tenants = [await q.makeTenant(), await q.makeTenant(), await q.makeTenant()];
  await Promise.all([processes.start(q.url, {}, { workers: 4 }), processes.start(q.url, {}, { workers: 4 })]);
  await q.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, payload)
     select ($1::uuid[])[1 + n % 3], $2, '{"do":"quick"}' from generate_series(1, $3) n`,
    [tenants, q.definitionId('steady'), JOBS],
  );
  const count = async (where: string): Promise<number> =>
    (await q.superuser.query(`select count(*)::integer as n from millrace.jobs where ${where}`)).rows[0].n;
  await waitFor(async () => (await count("status = 'succeeded'")) === JOBS, {
    describe: 'every job to succeed',
    timeoutMs: 60_000,
    pollMs: 50,
  });
  expect(await count('run_no <> 1 or attempt_count <> 0')).toBe(0);
  expect(new Set(await processes.witnessed()).size).toBe(JOBS);
  const { rows } = await q.superuser.query(
    'select count(*)::integer as attempts, count(distinct worker_id)::integer as workers from millrace.job_attempts',
  );
  expect(rows).toEqual([{ attempts: JOBS, workers: 8 }]);
}, 120_000);
