import { describe, expect, it } from 'vitest';
import { backoffMs } from '../../src/client/backoff.ts';
import { EventStreamParser } from '../../src/client/event-stream.ts';
import { LiveSet } from '../../src/client/live-set.ts';
import { LiveWatch } from '../../src/client/live-watch.ts';
import type { Job } from '../../src/client/operations.gen.ts';
import { fromClose } from '../../src/client/server-errors.ts';
import { type JobEvent, jobChangeOf, jobsStreamSpec } from '../../src/client/watch-jobs.ts';
import { waitFor } from '../support/wait.ts';
import { scriptedTransport } from './scripted-transport.ts';
import { collect } from './watching.ts';

const jobOf = (uuid: string, version = '1', isFinal = false) =>
  ({ id: `Job:${uuid}`, uuid, version, isFinal }) as Job;
const updated = (cursor: string, job: Job = jobOf('a')): JobEvent => ({
  __typename: 'JobUpdated',
  cursor,
  job,
});
const ready = (cursor: string): JobEvent => ({ __typename: 'FeedReady', cursor, isComplete: true });
const data = (jobChanges: JobEvent) => ({ data: { jobChanges } });
const slow = (cursor: string) => ({
  data: null,
  errors: [{ message: 'slow', extensions: { code: 'SLOW_CONSUMER', cursor } }],
});

function open(options: { readonly maxWaiting?: number } = {}) {
  const { context, asked } = scriptedTransport(options);
  const watch = new LiveWatch<JobEvent>(context, jobsStreamSpec(null, null));
  const connection = (n: number) => waitFor(() => asked[n - 1], { describe: `connection ${n}` });
  return { watch, asked, connection, context };
}

describe('a watch of jobs', () => {
  it('begins again when its initial state broke off, and says so before the new one comes', async () => {
    const { watch, connection } = open();
    const seen = collect(watch);
    const first = await connection(1);
    first.sink.next(data(updated('fresh')));
    first.sink.ended(fromClose(1006, ''));
    const second = await connection(2);
    expect(second.variables).toMatchObject({ after: null });
    second.sink.next(data(updated('fresh')));
    second.sink.next(data(ready('c1')));
    await waitFor(() => seen.values.length === 4, { describe: 'four events' });
    expect(seen.values.map(({ __typename }) => __typename)).toEqual([
      'JobUpdated',
      'ResyncRequired',
      'JobUpdated',
      'FeedReady',
    ]);
    await watch.return();
  });

  it('goes on from the cursor of SLOW_CONSUMER, and from the last event’s otherwise', async () => {
    const { watch, connection } = open();
    const seen = collect(watch);
    const first = await connection(1);
    first.sink.next(data(ready('c1')));
    first.sink.next(slow('c7'));
    expect(first.isLeft).toBe(true);
    const second = await connection(2);
    expect(second.variables).toMatchObject({ after: 'c7' });
    second.sink.next(data(updated('c8')));
    second.sink.ended(null);
    expect((await connection(3)).variables).toMatchObject({ after: 'c8' });
    await waitFor(() => seen.values.length === 2, { describe: 'two events' });
    await watch.return();
  });

  it('forgets its cursor at ResyncRequired, until the fresh state is complete', async () => {
    const { watch, connection } = open();
    collect(watch);
    const first = await connection(1);
    first.sink.next(data(ready('c1')));
    first.sink.next(data({ __typename: 'ResyncRequired', reason: 'TOO_OLD' }));
    expect(watch.cursor).toBeNull();
    first.sink.next(data(updated('fresh')));
    expect(watch.cursor).toBeNull();
    first.sink.next(data(ready('c2')));
    expect(watch.cursor).toBe('c2');
    await watch.return();
  });

  it('leaves the stream while its reader is slow, and goes on with nothing missing once it has read', async () => {
    const { watch, connection, asked } = open({ maxWaiting: 3 });
    const taking = watch.next();
    const first = await connection(1);
    for (const cursor of ['c1', 'c2', 'c3', 'c4', 'c5', 'c6']) {
      if (!first.isLeft) first.sink.next(data(ready(cursor)));
    }
    await taking;
    expect(first.isLeft).toBe(true);
    expect(watch.status.state).toBe('paused');
    for (let i = 0; i < 3; i++) await watch.next();
    expect(asked).toHaveLength(1);
    await watch.next();
    expect((await connection(2)).variables).toMatchObject({ after: 'c5' });
    await watch.return();
  });

  it('leaves the server while its client is suspended, and goes on from its cursor once that is resumed', async () => {
    const { watch, connection, asked, context } = open();
    const seen = collect(watch);
    const first = await connection(1);
    first.sink.opened();
    first.sink.next(data(ready('c1')));
    context.open.suspend();
    expect(first.isLeft).toBe(true);
    expect(watch.status.state).toBe('paused');
    const other = new LiveWatch<JobEvent>(context, jobsStreamSpec(null, null));
    collect(other);
    expect(other.status.state).toBe('paused');
    expect(asked).toHaveLength(1);
    context.open.resume();
    expect(asked.map(({ variables }) => variables)).toMatchObject([
      { after: null },
      { after: 'c1' },
      { after: null },
    ]);
    asked[1]?.sink.next(data(updated('c2')));
    await waitFor(() => seen.values.length === 2, { describe: 'the event after the rest' });
    await watch.return();
    await other.return();
  });

  it('hears nothing any more once it was left, and counts as open no longer', async () => {
    const { watch, connection, context } = open();
    const taking = watch.next();
    const { sink } = await connection(1);
    expect(context.open.size).toBe(1);
    await watch.return();
    expect(await taking).toEqual({ done: true, value: undefined });
    sink.next(data(ready('c1')));
    sink.ended(null);
    expect(await watch.next()).toEqual({ done: true, value: undefined });
    expect(context.open.size).toBe(0);
  });

  it('gives up after three tokens were refused in a row, and after what no retry fixes at once', async () => {
    const refused = open();
    const seen = collect(refused.watch);
    for (const n of [1, 2, 3]) (await refused.connection(n)).sink.ended(fromClose(4403, 'Token has expired'));
    await waitFor(() => seen.ended(), { describe: 'its end' });
    expect(seen.ended()).toMatchObject({ code: 'UNAUTHENTICATED', message: 'Token has expired' });
    const final = open();
    const end = final.watch.next();
    (await final.connection(1)).sink.ended(fromClose(4401, 'Unauthorized'));
    await expect(end).rejects.toMatchObject({ code: 'UNAUTHENTICATED', isRetryable: false });
  });

  it.each(['TOO_MANY_OPERATIONS', 'TOO_MANY_SUBSCRIPTIONS', 'RATE_LIMITED'])(
    'tries again after %s',
    async (code) => {
      const { watch, connection } = open();
      collect(watch);
      const first = await connection(1);
      first.sink.next({ data: null, errors: [{ message: 'full', extensions: { code } }] });
      expect(watch.status).toMatchObject({ state: 'waiting', error: { code, isRetryable: true } });
      await connection(2);
      await watch.return();
    },
  );

  it.each([1001, 1006, 1011, 1012, 1013, 4408, 4499, 4500])('tries again after %d', (code) => {
    expect(fromClose(code, '').isRetryable).toBe(true);
  });
});

it('the wait before another try is spread over all of it, doubles, and has an end', () => {
  const backoff = { firstMs: 1_000, maxMs: 30_000 };
  expect(backoffMs(backoff, 1, 0)).toBe(0);
  expect([1, 2, 3, 5, 6, 100].map((n) => backoffMs(backoff, n, 0.999_999))).toEqual(
    [1_000, 2_000, 4_000, 16_000, 30_000, 30_000].map((ms) => expect.closeTo(ms, 0)),
  );
});

it('an event stream is read the same however it is cut', () => {
  const text = ':\n\nevent: next\ndata: {"a":\ndata: 1}\n\n:ping\r\n\r\nevent: complete\r\ndata:\r\n\r\n';
  for (let size = 1; size <= text.length; size++) {
    const parser = new EventStreamParser();
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    expect(pieces.flatMap((piece) => parser.push(piece))).toEqual([
      { event: 'next', data: '{"a":\n1}' },
      { event: 'complete', data: '' },
    ]);
  }
});

const setOf = (maxRows: number) => new LiveSet<Job>(maxRows, ({ isFinal }) => isFinal);

describe('a set of jobs', () => {
  it('never shows an older version, and replaces itself only by a complete state', () => {
    const set = setOf(100);
    set.apply(jobChangeOf(updated('c', jobOf('a', '9'))));
    set.apply(jobChangeOf(updated('c', jobOf('b', '1'))));
    set.apply(jobChangeOf(ready('c')));
    set.apply(jobChangeOf(updated('c', jobOf('a', '10'))));
    set.apply(jobChangeOf(updated('c', jobOf('a', '9'))));
    expect(set.rows().map(({ uuid, version }) => `${uuid}${version}`)).toEqual(['b1', 'a10']);
    set.apply(jobChangeOf({ __typename: 'ResyncRequired', reason: 'TOO_OLD' }));
    set.apply(jobChangeOf(updated('c', jobOf('c'))));
    expect([set.isReady, set.rows().length]).toEqual([false, 2]);
    set.apply(jobChangeOf(ready('c')));
    expect([set.isReady, set.rows().map(({ uuid }) => uuid)]).toEqual([true, ['c']]);
  });

  it('keeps no more than it may: finished jobs go first, the oldest before others', () => {
    const set = setOf(10);
    for (let i = 10; i < 23; i++) set.apply(jobChangeOf(updated('c', jobOf(`${i}`, '1', i % 2 === 0))));
    const kept = set.rows();
    expect(kept.length).toBeLessThanOrEqual(11);
    expect(kept.filter(({ isFinal }) => !isFinal)).toHaveLength(6);
    expect(set.isComplete).toBe(false);
  });
});
