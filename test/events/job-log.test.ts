import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { encodeLogCursor } from '../../src/core/log-cursor.ts';
import { LOG_CHANNEL } from '../../src/db/channels.ts';
import { LogReader } from '../../src/events/log-reader.ts';
import type { LogEvent } from '../../src/events/log-subscription.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait.ts';
import { openStage, type Stage } from './stage.ts';

let database: TestDatabase;
let stage: Stage;

beforeAll(async () => {
  database = await createTestDatabase();
  stage = await openStage(database.url);
});
afterAll(async () => {
  await stage.close();
  await database.drop();
});

const newJob = async (): Promise<string> => (await stage.insertJobs(1))[0] ?? '';

/** Lines `from` to `to` of a run, and a notification as the worker gives it. */
async function write(jobId: string, runNo: number, from: number, to: number, notify = true): Promise<void> {
  await stage.superuser.query(
    `insert into millrace.job_log_lines (job_id, run_no, line_no, tenant_id, level, message, logged_at)
     select $1, $2, n, $5, 'info', format('%s.%s', $2::int, n), now() from generate_series($3::int, $4::int) n`,
    [jobId, runNo, from, to, stage.tenantId],
  );
  if (notify) stage.notifier.notify(LOG_CHANNEL, jobId);
}

const end = (jobId: string) =>
  stage.superuser.query(`update millrace.jobs set status = 'canceled', finished_at = now() where id = $1`, [
    jobId,
  ]);

function expected(...runs: readonly (readonly [runNo: number, from: number, to: number])[]): string[] {
  return runs.flatMap(([runNo, from, to]) =>
    Array.from({ length: to - from + 1 }, (_, n) => `${runNo}.${from + n}`),
  );
}

interface Follower {
  readonly lines: string[];
  readonly events: LogEvent[];
  readonly isOver: () => boolean;
  cut(): Promise<unknown>;
}

function follow(
  jobId: string,
  options: { readonly after?: string | null; readonly untilFinal?: boolean } = {},
  tenantId = stage.tenantId,
): Follower {
  const stream = stage.feed.subscribeLog(tenantId, jobId, options);
  const [lines, events]: [string[], LogEvent[]] = [[], []];
  let isOver = false;
  const run = async (): Promise<void> => {
    for await (const event of stream) {
      events.push(event);
      lines.push(...event.lines.map(({ message }) => message));
    }
    isOver = true;
  };
  void run();
  onTestFinished(async () => void (await stream.return()));
  return { lines, events, isOver: () => isOver, cut: () => stream.return() };
}

const until = (condition: () => boolean, describe: string) => waitFor(condition, { describe });

test('stored lines come first, then those that are written, run after run, and the end when the job has ended', async () => {
  const jobId = await newJob();
  await write(jobId, 1, 1, 450);
  const follower = follow(jobId);
  await until(() => follower.lines.length === 450, 'the stored lines');
  await write(jobId, 1, 451, 460);
  await until(() => follower.lines.length === 460, 'the live lines');
  await write(jobId, 2, 1, 3);
  await end(jobId);
  await until(follower.isOver, 'the end');
  expect(follower.lines).toEqual(expected([1, 1, 460], [2, 1, 3]));
  expect(follower.events.filter(({ isEnd }) => isEnd)).toHaveLength(1);
  expect(follower.events.at(-1)?.isEnd).toBe(true);
  await until(() => stage.feed.memberCount === 0, 'nothing to be held');
});

test('a stream that is cut anywhere goes on from its cursor without a gap and without a line twice', async () => {
  const jobId = await newJob();
  const lines: string[] = [];
  let after: string | null = null;
  const writing = (async () => {
    for (let n = 0; n < 30; n++) await write(jobId, 1, 40 * n + 1, 40 * n + 40);
    await end(jobId);
  })();
  for (let cuts = 0; ; cuts++) {
    const stream = stage.feed.subscribeLog(stage.tenantId, jobId, { after });
    let isEnd = false;
    // One event more at each try, so that it is cut at different places.
    for (let n = 0; n <= cuts % 4 && !isEnd; n++) {
      const { value } = await stream.next();
      if (value === undefined) break;
      lines.push(...value.lines.map(({ message }) => message));
      after = value.cursor;
      isEnd = value.isEnd;
    }
    await stream.return();
    if (isEnd) break;
  }
  await writing;
  expect(lines).toEqual(expected([1, 1, 1_200]));
});

test('a long log takes a statement for a thousand lines, and less for long ones, from whichever place it is read', async () => {
  const jobId = await newJob();
  await write(jobId, 1, 1, 10_000);
  const page = vi.spyOn(LogReader.prototype, 'page');
  onTestFinished(() => page.mockRestore());
  const atEnd = follow(jobId, {
    after: encodeLogCursor(jobId, { runNo: 1, lineNo: 9_900 }),
    untilFinal: false,
  });
  await until(() => atEnd.lines.length === 100, 'the end of the log');
  page.mockClear();
  // All that it reads is before what is kept for the one at the end.
  const behind = follow(jobId, { untilFinal: false });
  await until(() => behind.lines.length === 10_000, 'all lines');
  expect(behind.lines).toEqual(expected([1, 1, 10_000]));
  expect(page.mock.calls.length).toBeLessThanOrEqual(12);
  await atEnd.cut();
  await behind.cut();
  await stage.superuser.query(
    `update millrace.job_log_lines set message = rpad(message, 16000, '.') where job_id = $1 and line_no <= 200`,
    [jobId],
  );
  const { lines } = await new LogReader(stage.database).page(stage.tenantId, jobId, { runNo: 0, lineNo: 0 });
  // Half a megabyte, and the line that goes beyond it.
  expect(lines).toHaveLength(33);
  const alone = follow(jobId, { untilFinal: false });
  await until(() => alone.lines.length === 10_000, 'all lines again');
  expect(alone.lines.map((line) => line.replace(/\.{2,}$/, ''))).toEqual(expected([1, 1, 10_000]));
});

test('a line’s own cursor leads on behind that line', async () => {
  const jobId = await newJob();
  await write(jobId, 1, 1, 10);
  await end(jobId);
  const follower = follow(jobId, { after: encodeLogCursor(jobId, { runNo: 1, lineNo: 7 }) });
  await until(follower.isOver, 'the end');
  expect(follower.lines).toEqual(expected([1, 8, 10]));
});

test('many followers of one job at different places read it together, and each gets every line once', async () => {
  const jobId = await newJob();
  await write(jobId, 1, 1, 1_000);
  const slow = stage.feed.subscribeLog(stage.tenantId, jobId);
  onTestFinished(async () => void (await slow.return()));
  const first = (await slow.next()).value;
  expect(first?.lines).toHaveLength(100);
  const followers = Array.from({ length: 8 }, () => follow(jobId));
  await until(() => followers.every(({ lines }) => lines.length === 1_000), 'all to have all');
  await write(jobId, 1, 1_001, 2_000);
  await end(jobId);
  await until(() => followers.every(({ isOver }) => isOver()), 'all to end');
  for (const { lines } of followers) expect(lines).toEqual(expected([1, 1, 2_000]));
  // One that was a thousand lines behind what is kept for all.
  const late: string[] = (first?.lines ?? []).map(({ message }) => message);
  for await (const event of slow) late.push(...event.lines.map(({ message }) => message));
  expect(late).toEqual(expected([1, 1, 2_000]));
});

test('lines whose notification was lost are found all the same', async () => {
  const jobId = await newJob();
  const follower = follow(jobId);
  await write(jobId, 1, 1, 1);
  await until(() => follower.lines.length === 1, 'the first line');
  await write(jobId, 1, 2, 2, false);
  await until(() => follower.lines.length === 2, 'the line without a notification');
});

test('a notification that names nobody makes all look', async () => {
  const jobId = await newJob();
  const follower = follow(jobId);
  await write(jobId, 1, 1, 1, false);
  stage.notifier.notify(LOG_CHANNEL);
  await until(() => follower.lines.length === 1, 'the line');
});

test('a stream of an ended job gives its lines and ends; one that is to go on sees the run of a retry', async () => {
  const jobId = await newJob();
  await write(jobId, 1, 1, 2);
  await end(jobId);
  const [short, long] = [follow(jobId), follow(jobId, { untilFinal: false })];
  await until(short.isOver, 'the end');
  expect(short.lines).toEqual(['1.1', '1.2']);
  await stage.superuser.query(
    `update millrace.jobs set status = 'queued', finished_at = null where id = $1`,
    [jobId],
  );
  await write(jobId, 2, 1, 1);
  await until(() => long.lines.length === 3, 'the line of the second run');
  expect(long.isOver()).toBe(false);
});

test('a job without lines ends its stream when it ends, and a deleted one at once', async () => {
  const [quiet, deleted] = [await newJob(), await newJob()];
  const [one, other] = [follow(quiet), follow(deleted)];
  await until(() => stage.feed.memberCount === 2, 'both to be followed');
  await end(quiet);
  await stage.superuser.query('delete from millrace.jobs where id = $1', [deleted]);
  await until(() => one.isOver() && other.isOver(), 'both to end');
  expect(
    [one.events, other.events].map((events) => events.map(({ isEnd, lines }) => [isEnd, lines.length])),
  ).toEqual([[[true, 0]], [[true, 0]]]);
});

test('another tenant sees nothing of it, not even that it is there', async () => {
  const jobId = await newJob();
  await write(jobId, 1, 1, 5);
  const stranger = follow(jobId, {}, await stage.makeTenant());
  await until(stranger.isOver, 'the end');
  expect(stranger.lines).toEqual([]);
});

test('a cursor that is none, or of another job, is refused', async () => {
  const [jobId, other] = [await newJob(), await newJob()];
  for (const after of ['x', '', encodeLogCursor(other, { runNo: 1, lineNo: 1 })]) {
    expect(() => stage.feed.subscribeLog(stage.tenantId, jobId, { after })).toThrow(
      expect.objectContaining({
        code: 'InvalidArgument',
        details: expect.objectContaining({ field: 'after' }),
      }),
    );
  }
});
