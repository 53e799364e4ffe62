import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { watchLateness } from '../../support/lateness.ts';
import { openTestQueue, type TestQueue } from '../../support/queue.ts';
import { waitFor } from '../../support/wait.ts';
import { definitions } from './support/definitions.ts';
import type { FixturePayload } from './support/worker-process.fixture.ts';
import { WorkerProcesses } from './support/worker-process.ts';

/** Of `task`, and of `steady`, which a thread of a busy machine can keep alive. */
const LEASE_MS = 2_000;
const LONG_LEASE_MS = 10_000;

let q: TestQueue;
let tenantId: string;
let processes: WorkerProcesses;

beforeAll(async () => {
  q = await openTestQueue(definitions);
  tenantId = await q.makeTenant();
});
beforeEach(async () => {
  processes = await WorkerProcesses.open();
});
afterEach(async () => {
  await processes.close();
  // What they held would be the next workers' first job.
  await q.clear();
});
afterAll(() => q.close());

async function enqueue(payload: FixturePayload, definitionKey = 'task'): Promise<string> {
  const [job] = await q.queue.enqueue(tenantId, [{ definitionKey, payload }]);
  return job?.id ?? '';
}

function untilStatus(id: string, status: string): Promise<Record<string, unknown>> {
  return waitFor(
    async () => {
      const job = await q.job(id);
      return job['status'] === status ? job : undefined;
    },
    { describe: `job ${id} to be ${status}` },
  );
}

/** Two workers, of which one runs the job: it and the other one. */
async function runOnOneOfTwo(payload: FixturePayload, definitionKey = 'task') {
  const pair = await Promise.all([processes.start(q.url), processes.start(q.url)]);
  const id = await enqueue(payload, definitionKey);
  const runner = await Promise.race(pair.map((process) => process.event('started', id).then(() => process)));
  const other = pair.find((process) => process !== runner) ?? runner;
  return { id, runner, other };
}

test('a job of a worker that was killed runs elsewhere within one lease', async () => {
  const { id, runner, other } = await runOnOneOfTwo({ do: 'wait', ms: 60_000, onlyFirstRun: true });
  runner.kill('SIGKILL');
  const killedMs = performance.now();
  const lateness = await watchLateness(q.url);
  await other.event('started', id);
  // The rescuer looks once a second; what a machine is late meanwhile comes on top. The handler itself would
  // wait for a minute.
  const tookMs = performance.now() - killedMs;
  expect(tookMs).toBeLessThan(5 * LEASE_MS + (await lateness.allowanceMs()));
  expect(await untilStatus(id, 'succeeded')).toMatchObject({
    run_no: 2,
    result: { runNo: 2 },
    lost_lease_count: 0,
    attempt_count: 1,
  });
  const { rows } = await q.superuser.query(
    'select status from millrace.job_attempts where job_id = $1 order by attempt_no',
    [id],
  );
  expect(rows.map((row) => row.status)).toEqual(['lost', 'succeeded']);
});

test('a worker that was stopped and comes back changes nothing, and its handler is notified', async () => {
  const {
    id,
    runner: frozen,
    other: winner,
  } = await runOnOneOfTwo({ do: 'wait', ms: 60_000, onlyFirstRun: true });
  frozen.kill('SIGSTOP');
  await winner.event('started', id);
  frozen.kill('SIGCONT');
  expect(await frozen.event('aborted', id)).toMatchObject({ runNo: 1, reason: 'LeaseLost' });
  expect(await untilStatus(id, 'succeeded')).toMatchObject({ run_no: 2, result: { runNo: 2 } });
  expect(frozen.events.filter(({ event }) => event === 'ended')).toEqual([]);
});

test('a handler that blocks the event loop for longer than its lease keeps it', async () => {
  const { id, runner, other } = await runOnOneOfTwo({ do: 'block', ms: 1.15 * LONG_LEASE_MS }, 'steady');
  expect(await untilStatus(id, 'succeeded')).toMatchObject({
    run_no: 1,
    lost_lease_count: 0,
    attempt_count: 0,
  });
  const started = [...runner.events, ...other.events].filter(
    (seen) => seen.event === 'started' && seen.jobId === id,
  );
  expect(started).toHaveLength(1);
});

test('a handler that blocks beyond its deadline costs its worker the process, and what had not begun is handed back', async () => {
  const worker = await processes.start(q.url, { concurrency: 3, blockedAfterMs: 1_500, pollMs: 60_000 });
  const { rows } = await q.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, payload, priority)
     values ($1, $2, '{"do":"block","ms":600000}', 1), ($1, $3, '{"do":"quick"}', 100) returning id`,
    [tenantId, q.definitionId('brief'), q.definitionId('task')],
  );
  const [blocking, beside] = rows.map((row) => row.id);
  await worker.event('started', blocking);
  expect(await worker.exited).toBe('SIGKILL');
  expect(worker.logLines.join('\n')).toMatch(/blocks the event loop beyond its deadline: brief/);
  expect(await q.job(beside)).toMatchObject({
    status: 'queued',
    run_no: 1,
    attempt_count: 0,
    lost_lease_count: 0,
  });
});
