import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { done, snoozed } from '../../../src/core/outcome.ts';
import type { Handler } from '../../../workers/handler.ts';
import type { RunningWorker } from '../../../workers/runtime/running-worker.ts';
import { openTestQueue, type TestQueue } from '../../support/queue.ts';
import { waitFor } from '../../support/wait.ts';
import { definitions } from './support/definitions.ts';
import { startTestWorker } from './support/worker.ts';

let q: TestQueue;
let tenantId: string;
let worker: RunningWorker;
let handler: Handler<never> = async () => done(null);

beforeAll(async () => {
  q = await openTestQueue(definitions);
  tenantId = await q.makeTenant();
  const now: Handler<never> = (context) => handler(context);
  worker = await startTestWorker(q, {
    handlers: { task: now, poll: now },
    jobLog: { maxLines: 12_000, maxBytes: 4_000_000 },
  });
});
beforeEach(() => q.clear());
afterAll(async () => {
  await worker.stop(0);
  await q.close();
});

interface Line {
  readonly run_no: number;
  readonly line_no: number;
  readonly level: string;
  readonly message: string;
  readonly data: unknown;
  readonly logged_at: Date;
}

async function linesOf(jobId: string): Promise<readonly Line[]> {
  const { rows } = await q.superuser.query<Line>(
    'select * from millrace.job_log_lines where job_id = $1 order by run_no, line_no',
    [jobId],
  );
  return rows;
}

async function enqueue(key = 'task'): Promise<string> {
  const [job] = await q.queue.enqueue(tenantId, [{ definitionKey: key, payload: { n: 1 } }]);
  return job?.id ?? '';
}

async function run(given: Handler<never>, key = 'task'): Promise<string> {
  handler = given;
  const id = await enqueue(key);
  await waitFor(async () => (await q.job(id))['finished_at'] !== null, { describe: `job ${id} to end` });
  return id;
}

test('ten thousand lines written at once are all there, in their order, when the job has ended', async () => {
  const id = await run(async ({ log }) => {
    for (let n = 1; n <= 10_000; n++) log.info(`line ${n}`, { n });
    return done(null);
  });
  const lines = await linesOf(id);
  expect(lines.map(({ line_no }) => line_no)).toEqual(Array.from({ length: 10_000 }, (_, n) => n + 1));
  expect(lines.every(({ message, line_no }) => message === `line ${line_no}`)).toBe(true);
  expect(lines[9_999]?.data).toEqual({ n: 10_000 });
});

test('a line is stored while its run goes on, with level, text, data and a time by the database’s clock', async () => {
  const release = Promise.withResolvers<void>();
  onTestFinished(() => release.resolve());
  handler = async ({ log }) => {
    log.warn('a warning', { deep: [1, 'two'] });
    log.debug('not stored');
    await release.promise;
    return done(null);
  };
  const id = await enqueue();
  const [line] = await waitFor(
    async () => {
      const lines = await linesOf(id);
      return lines.length > 0 && lines;
    },
    { describe: 'the line' },
  );
  expect(line).toMatchObject({
    run_no: 1,
    line_no: 1,
    level: 'warn',
    message: 'a warning',
    data: { deep: [1, 'two'] },
  });
  const { rows } = await q.superuser.query(
    'select abs(extract(epoch from now() - $1::timestamptz)) < 60 as near',
    [line?.logged_at],
  );
  expect(rows[0].near).toBe(true);
  expect(await linesOf(id)).toHaveLength(1);
});

test('the lines of later runs of a job follow under their run numbers, each from 1', async () => {
  let runs = 0;
  const id = await run(async ({ log, runNo }) => {
    log.info(`first of run ${runNo}`);
    log.info(`second of run ${runNo}`);
    return ++runs < 3 ? snoozed(0, 'again') : done(null);
  }, 'poll');
  expect(
    (await linesOf(id)).map(({ run_no, line_no, message }) => `${run_no}.${line_no} ${message}`),
  ).toEqual([1, 2, 3].flatMap((n) => [`${n}.1 first of run ${n}`, `${n}.2 second of run ${n}`]));
});

test('a failing run keeps what it said', async () => {
  const id = await run(async ({ log, attemptCount }) => {
    log.error(`attempt ${attemptCount + 1}`);
    throw new Error('it broke');
  });
  expect((await linesOf(id)).map(({ message }) => message)).toEqual(['attempt 1', 'attempt 2', 'attempt 3']);
});

test('what Postgres cannot store is cleaned, secrets are left out, and no line fails its job', async () => {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  const id = await run(async ({ log }) => {
    log.info('a NUL \u0000 and half a pair \ud800', { text: 'NUL \u0000', ['key\u0000']: 1 });
    log.info('secrets', { token: 'abc', deep: { list: [{ password: 'abc', fine: 1 }] }, apiKey: 'abc' });
    log.info('odd values', { big: 12n, error: new TypeError('wrong'), nothing: undefined });
    log.info('a circle', circle);
    log.info('x'.repeat(100_000), { long: 'y'.repeat(100_000) });
    return done(null);
  });
  const lines = await linesOf(id);
  expect(lines[0]).toMatchObject({
    message: 'a NUL \u2400 and half a pair \ufffd',
    data: { text: 'NUL \u2400' },
  });
  expect(lines[1]?.data).toEqual({
    token: '•••',
    deep: { list: [{ password: '•••', fine: 1 }] },
    apiKey: '•••',
  });
  expect(lines[2]?.data).toEqual({ big: '12', error: { name: 'TypeError', message: 'wrong' } });
  expect(JSON.stringify(lines[3]?.data)).toContain('not JSON');
  expect(lines[4]?.message.length).toBeLessThanOrEqual(8_192);
  expect(lines[4]?.message).toContain('characters left out');
  expect(JSON.stringify(lines[4]?.data).length).toBeLessThanOrEqual(8_192);
});

test('beyond its limits a run’s lines are dropped, and the last line says how many', async () => {
  const byLines = await run(async ({ log }) => {
    for (let n = 1; n <= 12_345; n++) log.info('x');
    return done(null);
  });
  const many = await linesOf(byLines);
  expect(many).toHaveLength(12_002);
  expect(many[12_000]?.message).toContain('is full');
  expect(many[12_001]).toMatchObject({
    level: 'warn',
    message: 'Lines dropped: 345.',
    data: { droppedLines: 345 },
  });
  const byBytes = await run(async ({ log }) => {
    for (let n = 1; n <= 1_000; n++) log.info('x'.repeat(8_000));
    return done(null);
  });
  const long = await linesOf(byBytes);
  expect(long).toHaveLength(502);
  expect(long.at(-1)?.data).toEqual({ droppedLines: 500 });
});

test('a job row that somebody else holds delays its own lines only, and its end comes after them', async () => {
  const both = Promise.withResolvers<void>();
  handler = async ({ log, jobId }) => {
    await both.promise;
    log.info(`of ${jobId}`);
    return done(null);
  };
  const [held, free] = [await enqueue(), await enqueue()];
  await waitFor(
    async () => (await q.job(free))['status'] === 'running' && (await q.job(held))['status'] === 'running',
    {
      describe: 'both to run',
    },
  );
  const other = new pg.Client({ connectionString: q.url });
  await other.connect();
  onTestFinished(() => other.end());
  await other.query('begin');
  await other.query('select from millrace.jobs where id = $1 for update', [held]);
  both.resolve();
  await waitFor(async () => (await q.job(free))['status'] === 'succeeded', {
    describe: 'the free one to end',
  });
  expect(await linesOf(free)).toHaveLength(1);
  expect(await linesOf(held)).toHaveLength(0);
  await other.query('commit');
  await waitFor(async () => (await q.job(held))['status'] === 'succeeded', {
    describe: 'the held one to end',
  });
  expect(await linesOf(held)).toHaveLength(1);
});

test('logging changes no row of jobs, and a run that logs nothing writes nothing', async () => {
  const mark = randomUUID();
  const quiet = await run(async () => done({ mark }));
  const id = await run(async ({ log }) => {
    for (let n = 1; n <= 500; n++) log.info(`line ${n}`);
    return done({ mark });
  });
  const [one, other] = [await q.job(quiet), await q.job(id)];
  expect(other['version']).toBe(one['version']);
  expect(await linesOf(quiet)).toEqual([]);
  expect(await linesOf(id)).toHaveLength(500);
});
