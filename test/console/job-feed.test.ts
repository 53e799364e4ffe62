import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { JobFeed } from '../../console/jobs/job-feed.ts';
import { nextMoment, type ReadPage } from '../../console/jobs/live-changes.ts';
import { type JobEvent, MillraceError } from '../../src/client/index.ts';

type Row = ReadPage['nodes'][number];
type Read = PromiseWithResolvers<readonly Row[]> & { readonly ids: readonly string[] | null };

const job = (id: string, version = 1): Row => ({ id, uuid: id, version: String(version) }) as never;
const updated = (row: Row): JobEvent => ({ __typename: 'JobUpdated', cursor: 'c', job: row }) as never;
const left = (jobId: string, cursor = 'c'): JobEvent => ({ __typename: 'JobLeft', cursor, jobId }) as never;
const READY = { __typename: 'FeedReady', cursor: 'ready', isComplete: false } as never as JobEvent;

/**
 * A server of which each step is taken by the test: answers are given when it says so, and events come in the
 * order of `send`.
 */
function opened(matches: (row: { readonly id: string }) => boolean | null = () => true) {
  const reads: Read[] = [];
  const streams: { readonly after: string | null; send(event: JobEvent): void; fail(error: Error): void }[] =
    [];
  const read = (ids: readonly string[] | null) => {
    const made = { ...Promise.withResolvers<readonly Row[]>(), ids };
    reads.push(made);
    return made.promise;
  };
  const feed = new JobFeed(
    {
      watch: (after, signal) => {
        return new ReadableStream<JobEvent>({
          start: (controller) => {
            signal.addEventListener('abort', () => controller.error(signal.reason));
            streams.push({
              after,
              send: (event) => controller.enqueue(event),
              fail: (error) => controller.error(error),
            });
          },
        }) as never;
      },
      matches,
      readNewest: () => read(null),
      readByIds: (ids) => read(ids),
    },
    { firstMs: 1, maxMs: 1 },
  );
  const shown: ReadPage[] = [];
  return {
    feed,
    reads,
    streams,
    stream: () => streams.at(-1) as (typeof streams)[number],
    /** A page that was asked for at a moment, and is shown from now on. */
    show: (page: ReadPage) => {
      shown.push(page);
      feed.show(shown);
    },
    rows: async () => {
      await vi.advanceTimersByTimeAsync(1_000);
      return feed.changes
        .over(shown)
        .map(({ id, version, isGone }) => `${id}.${version}${isGone ? ' gone' : ''}`);
    },
  };
}

/** With the newest page read, as after a beginning without haste. */
async function following(page: ReadPage, matches?: (row: { readonly id: string }) => boolean | null) {
  const made = opened(matches);
  const stop = made.feed.follow();
  made.stream().send(READY);
  await vi.advanceTimersByTimeAsync(0);
  made.reads.shift()?.resolve(page.nodes);
  made.show({ ...page, asOf: nextMoment() });
  await vi.advanceTimersByTimeAsync(1_000);
  return { ...made, stop };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the list of jobs', () => {
  it.each(['after', 'before'])(
    'greys a job that left between the request for its page and the stream’s beginning, also when the page comes %s that',
    async (order) => {
      const { feed, reads, stream, show, rows } = opened();
      const page = { asOf: nextMoment(), nodes: [job('a'), job('b')] };
      const stop = feed.follow();
      if (order === 'before') show(page);
      stream().send(READY);
      await vi.advanceTimersByTimeAsync(0);
      // The newest page does not have `a` any more, and the stream says nothing of it.
      reads.shift()?.resolve([job('b')]);
      await vi.advanceTimersByTimeAsync(0);
      if (order === 'after') show(page);
      await vi.advanceTimersByTimeAsync(0);
      expect(reads[0]?.ids).toEqual(['a']);
      reads.shift()?.resolve([]);
      expect(await rows()).toEqual(['a.1 gone', 'b.1']);
      stop();
    },
  );

  it('greys a job that leaves while a page is on its way that still has it, and not one that came back before it was asked for', async () => {
    const { stream, show, rows, stop } = await following({ asOf: 0, nodes: [job('z')] });
    stream().send(left('back'));
    await vi.advanceTimersByTimeAsync(0);
    const asOf = nextMoment();
    stream().send(left('leaves'));
    await vi.advanceTimersByTimeAsync(0);
    show({ asOf, nodes: [job('back', 3), job('leaves', 1)] });
    expect(await rows()).toEqual(['z.1', 'back.3', 'leaves.1 gone']);
    stop();
  });

  it('lets the stream’s later word stand against an earlier read that is answered after it', async () => {
    const { feed, reads, stream, show, rows } = opened();
    const page = { asOf: nextMoment(), nodes: [job('a'), job('b'), job('c')] };
    const stop = feed.follow();
    show(page);
    stream().send(READY);
    await vi.advanceTimersByTimeAsync(0);
    stream().send(left('b'));
    await vi.advanceTimersByTimeAsync(0);
    // As it was before both events: without `a`, which came back, and with `b`, which has left.
    reads.shift()?.resolve([job('b', 2)]);
    await vi.advanceTimersByTimeAsync(0);
    stream().send(updated(job('a', 5)));
    stream().send(updated(job('c', 2)));
    await vi.advanceTimersByTimeAsync(0);
    expect(reads[0]?.ids).toEqual(['a', 'c']);
    reads.shift()?.resolve([]);
    expect(await rows()).toEqual(['a.5', 'b.2 gone', 'c.2']);
    stop();
  });

  it('reads again what could not be read, while the stream goes on', async () => {
    const { feed, reads, stream, show, rows } = opened();
    show({ asOf: nextMoment(), nodes: [job('a'), job('b')] });
    const stop = feed.follow();
    stream().send(READY);
    await vi.advanceTimersByTimeAsync(0);
    const away = new MillraceError('NETWORK', 'away', { recovery: 'retry' });
    reads.shift()?.reject(away);
    stream().send(updated(job('b', 2)));
    expect(await rows()).toEqual(['a.1', 'b.2']);
    reads.shift()?.resolve([job('b', 2)]);
    await vi.advanceTimersByTimeAsync(0);
    reads.shift()?.reject(away);
    await vi.advanceTimersByTimeAsync(1_000);
    reads.shift()?.resolve([]);
    expect(await rows()).toEqual(['a.1 gone', 'b.2']);
    stop();
  });

  it('goes on after a sleep with the last event, and begins again when it fell asleep before it had read what came before the stream', async () => {
    const { feed, streams, stream, stop } = await following({ asOf: 0, nodes: [job('a')] });
    stream().send(left('x', 'later'));
    await vi.advanceTimersByTimeAsync(0);
    stop();
    feed.follow()();
    expect(streams.map(({ after }) => after)).toEqual([null, 'later']);

    const other = opened();
    other.show({ asOf: nextMoment(), nodes: [job('a')] });
    const sleep = other.feed.follow();
    other.stream().send(READY);
    await vi.advanceTimersByTimeAsync(0);
    sleep();
    const stopAgain = other.feed.follow();
    expect(other.stream().after).toBeNull();
    other.stream().send(READY);
    await vi.advanceTimersByTimeAsync(0);
    for (const { resolve } of other.reads.splice(0)) resolve([job('n')]);
    await vi.advanceTimersByTimeAsync(0);
    other.reads.shift()?.resolve([]);
    expect(await other.rows()).toEqual(['a.1 gone']);
    stopAgain();
  });

  it('reads a page again that was on its way while more changed than is kept for it', async () => {
    const { reads, stream, show, rows, stop } = await following({ asOf: 0, nodes: [job('z')] });
    const asOf = nextMoment();
    stream().send(left('slow'));
    for (let n = 0; n < 2_500; n++) stream().send(left(`other ${n}`));
    await vi.advanceTimersByTimeAsync(1_000);
    show({ asOf, nodes: [job('slow')] });
    await vi.advanceTimersByTimeAsync(0);
    expect(reads.map(({ ids }) => ids)).toEqual([['slow']]);
    reads.shift()?.resolve([]);
    expect(await rows()).toEqual(['z.1', 'slow.1 gone']);
    stop();
  });

  it('counts as new what matches and is on no page, and no more what the first page was asked for after', async () => {
    const { feed, stream, rows, stop } = await following({ asOf: 0, nodes: [job('m')] });
    for (const id of ['p', 'q', 'b']) stream().send(updated(job(id)));
    stream().send(left('q'));
    await rows();
    const page = [{ asOf: 0, nodes: [job('m')] }];
    const countOf = (asOf: number, hasMore: boolean) =>
      feed.changes.newAmong(feed.changes.over(page), hasMore, asOf);
    // `b` is older than all that is shown: with more pages to come it comes with its own.
    expect([countOf(0, true), countOf(0, false), countOf(nextMoment(), false)]).toEqual([1, 2, 0]);
    stop();
  });

  it('asks the server of which jobs it cannot say itself whether they match, and greys one that does not any more', async () => {
    const { feed, reads, stream, rows, stop } = await following(
      { asOf: 0, nodes: [job('a'), job('b')] },
      ({ id }) => (id === 'b' ? false : null),
    );
    for (const each of ['a', 'b', 'new', 'other']) stream().send(updated(job(each, 2)));
    expect(await rows()).toEqual(['a.2', 'b.1 gone']);
    expect(reads.map(({ ids }) => ids)).toEqual([['new', 'other']]);
    reads.shift()?.resolve([job('new', 2)]);
    const shown = await rows();
    expect(feed.changes.newAmong([], false, 0)).toBe(2);
    for (const each of ['new', 'other']) stream().send(updated(job(each, 3)));
    expect(await rows()).toEqual(shown);
    // Each is asked about once.
    expect(reads).toEqual([]);
    stop();
  });

  it('reports that there is no stream any more, and follows another when it is asked to', async () => {
    const { feed, stream, stop, rows } = await following({ asOf: 0, nodes: [job('a')] });
    stream().fail(new MillraceError('FORBIDDEN', 'no longer'));
    await rows();
    expect(feed.problem).toMatchObject({ code: 'FORBIDDEN' });
    stop();
    const stopAgain = feed.follow();
    expect(feed.problem).toBeNull();
    stream().send(updated(job('a', 2)));
    expect(await rows()).toEqual(['a.2']);
    stopAgain();
  });
});
