import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { echo } from '../../src/domains/echo/echo.ts';
import { startProgram } from '../support/program.ts';
import { openTestQueue } from '../support/queue.ts';
import { waitFor } from '../support/wait.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'millrace-test-clock-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Loaded before the program: everything in the process reads a clock that is off. */
const shifted = (byMs: number): string =>
  `--import data:text/javascript,${encodeURIComponent(
    `const Real = Date; const now = () => Real.now() + ${byMs};
     globalThis.Date = class extends Real { constructor(...given) { if (given.length === 0) super(now()); else super(...given); } static now = now; };`,
  )}`;

test.concurrent.each([
  ['ten minutes ahead', 600_000],
  ['ten minutes behind', -600_000],
])(
  'a worker whose clock is %s runs what is due by the database and nothing else, and writes its times',
  async (_what, byMs) => {
    const q = await openTestQueue([echo]);
    const tenantId = await q.makeTenant();
    const inMs = (ms: number): Date => new Date(Date.now() + ms);
    const [due, soon, later] = await q.queue.enqueue(tenantId, [
      { definitionKey: echo.key, payload: { message: 'fails once', failTimes: 1 } },
      { definitionKey: echo.key, payload: { message: 'due in a second' }, scheduledFor: inMs(1_000) },
      { definitionKey: echo.key, payload: { message: 'due in five minutes' }, scheduledFor: inMs(300_000) },
    ]);
    const worker = startProgram('workers/main.ts', [], {
      DATABASE_URL: q.url,
      MILLRACE_DATA_DIR: join(directory, String(byMs)),
      NODE_OPTIONS: shifted(byMs),
    });
    try {
      for (const job of [due, soon])
        await waitFor(async () => (await q.job(job?.id ?? ''))['status'] === 'succeeded', {
          describe: () =>
            `the jobs that are due to succeed; the worker said:\n${worker.stderr().slice(-2_000)}`,
        });
      expect(await q.job(later?.id ?? '')).toMatchObject({ status: 'queued', run_no: 0 });
      const { rows } = await q.superuser.query(
        `select max(abs(extract(epoch from clock_timestamp() - t)))::float8 as "offSeconds"
       from millrace.jobs j, unnest(array[j.claimed_at, j.started_at, j.finished_at]) t where j.id = any ($1)`,
        [[due?.id, soon?.id]],
      );
      expect(rows[0].offSeconds).toBeLessThan(200);
      const { rows: attempts } = await q.superuser.query(
        `select attempt_no, status, abs(extract(epoch from clock_timestamp() - started_at)) < 200 as near
       from millrace.job_attempts where job_id = $1 order by attempt_no`,
        [due?.id],
      );
      expect(attempts).toEqual([
        { attempt_no: 1, status: 'failed', near: true },
        { attempt_no: 2, status: 'succeeded', near: true },
      ]);
    } finally {
      await worker.kill();
      await q.close();
    }
  },
  120_000,
);
