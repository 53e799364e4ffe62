import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { done } from '../../../src/core/outcome.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { createWorkerMetrics } from '../../../src/telemetry/worker-counters.ts';
import type { Handler } from '../../../workers/handler.ts';
import { openTestQueue, type TestQueue } from '../../support/queue.ts';
import { waitFor } from '../../support/wait.ts';
import { definitions } from './support/definitions.ts';
import { startTestWorker } from './support/worker.ts';

const MIB = 1024 * 1024;
const LINE = 'x'.repeat(1_000);

let q: TestQueue;
let tenantId: string;

beforeAll(async () => {
  q = await openTestQueue(definitions, 20);
  tenantId = await q.makeTenant();
});
beforeEach(() => q.clear());
afterAll(() => q.close());

/** A worker whose unsent lines may take a mebibyte. @returns a look at its figures */
async function startWorker(handler: Handler<never>, concurrency: number): Promise<() => Promise<string>> {
  const metrics = createMetrics();
  const worker = await startTestWorker(q, {
    handlers: { task: handler },
    concurrency,
    jobLog: { maxPendingBytes: MIB },
    metrics: createWorkerMetrics(metrics),
  });
  onTestFinished(() => worker.stop(0));
  return () => metrics.render();
}

function figure(text: string, name: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return line === undefined ? 0 : Number(line.slice(name.length));
}

test('jobs that write more than can be sent begin one after the other: no line is lost, and what waits stays bounded', async () => {
  const [jobs, lines] = [120, 100];
  let mostPending = 0;
  let read: (() => Promise<string>) | undefined;
  read = await startWorker(async ({ log }) => {
    for (let n = 1; n <= lines; n++) log.info(LINE);
    mostPending = Math.max(
      mostPending,
      figure((await read?.()) ?? '', 'millrace_worker_job_log_pending_bytes'),
    );
    return done(null);
  }, jobs);
  await q.queue.enqueue(
    tenantId,
    Array.from({ length: jobs }, () => ({ definitionKey: 'task', payload: {} })),
  );
  const open = async () =>
    (await q.superuser.query(`select count(*)::int as n from millrace.jobs where status <> 'succeeded'`))
      .rows[0].n;
  await waitFor(async () => (await open()) === 0, { describe: 'all jobs to end' });
  const { rows } = await q.superuser.query('select count(*)::int as n from millrace.job_log_lines');
  expect(rows[0].n).toBe(jobs * lines);
  expect(await read()).not.toMatch(/lines_lost_total\{reason="backlog"\} [1-9]/);
  // Twelve times as much was written in all.
  expect(mostPending).toBeGreaterThan(MIB / 8);
  expect(mostPending).toBeLessThan(MIB);
});

test('lines that the database does not take in time leave a mark in their place, a last line and a figure', async () => {
  const written = Promise.withResolvers<void>();
  const taken = Promise.withResolvers<void>();
  const read = await startWorker(async ({ log }) => {
    for (let n = 1; n <= 2_000; n++) log.info(LINE);
    written.resolve();
    await taken.promise;
    log.info('afterwards');
    return done(null);
  }, 1);
  await q.superuser.query('begin');
  await q.superuser.query('lock table millrace.job_log_lines in exclusive mode');
  const [job] = await q.queue.enqueue(tenantId, [{ definitionKey: 'task', payload: {} }]);
  await written.promise;
  await q.superuser.query('rollback');
  await waitFor(async () => figure(await read(), 'millrace_worker_job_log_pending_bytes') === 0, {
    describe: 'what was kept to be stored',
  });
  taken.resolve();
  await waitFor(async () => (await q.job(job?.id ?? ''))['status'] === 'succeeded', {
    describe: 'the job to end',
  });
  const { rows } = await q.superuser.query<{ message: string; data: { droppedLines?: number } | null }>(
    'select message, data from millrace.job_log_lines where job_id = $1 order by line_no',
    [job?.id],
  );
  const kept = rows.filter(({ message }) => message === LINE).length;
  const lost = 2_000 - kept;
  expect(kept).toBeGreaterThan(500);
  expect(lost).toBeGreaterThan(500);
  expect(rows.slice(kept)).toMatchObject([
    { message: expect.stringMatching(`^Lines dropped here: ${lost}\\.`), data: { droppedLines: lost } },
    { message: 'afterwards' },
    { message: `Lines dropped: ${lost}.`, data: { droppedLines: lost } },
  ]);
  expect(await read()).toContain(`millrace_worker_job_log_lines_lost_total{reason="backlog"} ${lost}`);
});
