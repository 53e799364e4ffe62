import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { done } from '../../../src/core/outcome.ts';
import type { Lease } from '../../../src/core/queue.ts';
import { insertJobLogLines, type StoredLogRow } from '../../../src/db/sql/worker/insert-job-log-lines.ts';
import { type LogPage, LogReader } from '../../../src/events/log-reader.ts';
import { startMaintenance } from '../../../workers/maintenance/round.ts';
import { measured, openTestQueue, silentLog, succeeded, type TestQueue } from '../../support/queue.ts';
import { waitFor } from '../../support/wait.ts';
import { definitions } from './support/definitions.ts';
import { startTestWorker } from './support/worker.ts';
import { WorkerProcesses } from './support/worker-process.ts';

let q: TestQueue;
let tenantId: string;

beforeAll(async () => {
  q = await openTestQueue(definitions, 20);
  tenantId = await q.makeTenant();
});
beforeEach(() => q.clear());
afterAll(() => q.close());

async function enqueue(payload: unknown): Promise<string> {
  const [job] = await q.queue.enqueue(tenantId, [{ definitionKey: 'task', payload }]);
  return job?.id ?? '';
}

/** Writes a line as the worker of this lease would. @returns undefined when the lease is gone */
async function write(lease: Lease, lineNo: number): Promise<boolean | undefined> {
  const { rows } = await q.db.asWorker<StoredLogRow>(insertJobLogLines, [
    [lease.jobId],
    [lease.runNo],
    [lease.token],
    [1],
    [lineNo],
    ['info'],
    [`${lease.runNo}.${lineNo}`],
    [null],
    [new Date()],
  ]);
  return rows[0]?.stored;
}

/** A worker that goes on writing until it learns that its lease is gone. */
async function writeOn(lease: Lease): Promise<number> {
  for (let lineNo = 1; ; ) {
    const stored = await write(lease, lineNo);
    if (stored === undefined) return lineNo - 1;
    if (stored) lineNo++;
  }
}

async function claimIt(): Promise<Lease> {
  const [claimed] = await waitFor(
    async () => {
      const jobs = await q.claim(1);
      return jobs.length > 0 && jobs;
    },
    { describe: 'the job to be claimed', pollMs: 1 },
  );
  if (claimed === undefined) throw new Error('nothing was claimed');
  return claimed.lease;
}

test('a reader by cursor misses no line while leases are lost and two runs’ workers write at once', async () => {
  const jobId = await enqueue({});
  const reader = new LogReader(q.db);
  const seen: string[] = [];
  let end = { runNo: 0, lineNo: 0 };
  const follow = async (): Promise<void> => {
    for (let page: LogPage | undefined; ; ) {
      page = await reader.page(tenantId, jobId, end);
      for (const { runNo, lineNo } of page.lines) seen.push(`${runNo}.${lineNo}`);
      end = page.lines.at(-1) ?? end;
      // What shows the job ended shows all of its lines.
      if (page.job === 'final' && !page.isFull) return;
    }
  };
  const following = follow();
  const writers: Promise<number>[] = [];
  for (let run = 1; run <= 12; run++) {
    const lease = await claimIt();
    writers.push(
      writeOn(lease),
      writeOn(lease).catch(() => 0),
    );
    await waitFor(() => seen.some((line) => line.startsWith(`${lease.runNo}.`)), {
      describe: `lines of run ${lease.runNo}`,
      pollMs: 1,
    });
    // While both of them write.
    await q.superuser.query(
      `update millrace.jobs set lease_expires_at = now() - interval '1 hour' where id = $1`,
      [jobId],
    );
    await waitFor(
      async () => (await q.queue.rescue(10)).length > 0 || (await q.job(jobId))['status'] !== 'running',
      {
        describe: 'the lease to be rescued',
        pollMs: 1,
      },
    );
    await q.superuser.query(
      `update millrace.jobs set status = 'queued', finished_at = null, attempt_count = 0, lost_lease_count = 0, scheduled_for = now()
       where id = $1`,
      [jobId],
    );
    if (run < 12) continue;
    const [last] = await waitFor(
      async () => {
        const jobs = await q.claim(1);
        return jobs.length > 0 && jobs;
      },
      { describe: 'the last claim', pollMs: 1 },
    );
    if (last === undefined) throw new Error('nothing was claimed');
    await write(last.lease, 1);
    await q.queue.finish(last, succeeded(), measured());
  }
  await following;
  await Promise.all(writers);
  const { rows } = await q.superuser.query(
    'select run_no, line_no from millrace.job_log_lines where job_id = $1 order by run_no, line_no',
    [jobId],
  );
  expect(seen).toEqual(rows.map(({ run_no, line_no }) => `${run_no}.${line_no}`));
  expect(new Set(rows.map(({ run_no }) => run_no)).size).toBe(13);
});

test('no line can be written once the lease is gone, and none of an ended job', async () => {
  const jobId = await enqueue({});
  const [claimed] = await q.claim(1);
  if (claimed === undefined) throw new Error('nothing was claimed');
  expect(await write(claimed.lease, 1)).toBe(true);
  expect(await write(claimed.lease, 1)).toBe(true);
  await q.queue.finish(claimed, succeeded(), measured());
  expect(await write(claimed.lease, 2)).toBeUndefined();
  const { rows } = await q.superuser.query('select line_no from millrace.job_log_lines where job_id = $1', [
    jobId,
  ]);
  expect(rows).toEqual([{ line_no: 1 }]);
});

test('what a killed worker had stored stays, and the next run’s lines follow it', async () => {
  const processes = await WorkerProcesses.open();
  onTestFinished(() => processes.close());
  const jobId = await enqueue({ do: 'wait', ms: 600_000, lines: 1_000, onlyFirstRun: true });
  const first = await processes.start(q.url);
  await first.event('started', jobId);
  const count = async (runNo: number): Promise<number> =>
    (
      await q.superuser.query(
        'select count(*)::int as n from millrace.job_log_lines where job_id = $1 and run_no = $2',
        [jobId, runNo],
      )
    ).rows[0].n;
  await waitFor(async () => (await count(1)) === 1_000, { describe: 'the lines of the first run' });
  first.kill('SIGKILL');
  await first.exited;
  const second = await startTestWorker(q, {
    handlers: {
      task: async ({ log }) => {
        for (let line = 1; line <= 10; line++) log.info(`line ${line}`);
        return done(null);
      },
    },
  });
  onTestFinished(() => second.stop(0));
  const maintenance = startMaintenance({
    database: q.db,
    queue: q.queue,
    log: silentLog,
  });
  onTestFinished(() => maintenance.stop());
  await waitFor(async () => (await q.job(jobId))['status'] === 'succeeded', {
    describe: 'another worker to end it',
  });
  const { run_no: runNo } = await q.job(jobId);
  expect(await count(1)).toBe(1_000);
  expect(await count(runNo as number)).toBe(10);
});
