import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PermanentError } from '../../../src/core/errors.ts';
import { done, snoozed } from '../../../src/core/outcome.ts';
import { runJobsTick } from '../../../src/library/index.ts';
import type { Handler } from '../../../workers/handler.ts';
import type { RunningWorker } from '../../../workers/runtime/running-worker.ts';
import { openTestQueue, type TestQueue } from '../../support/queue.ts';
import { waitFor } from '../../support/wait.ts';
import { definitions } from './support/definitions.ts';
import { startTestWorker } from './support/worker.ts';

let store: TestQueue;
let tenantId: string;
const opened: RunningWorker[] = [];

beforeAll(async () => {
  store = await openTestQueue(definitions);
  tenantId = await store.makeTenant();
});
afterAll(() => store?.close());
afterEach(async () => {
  await Promise.all(opened.splice(0).map((worker) => worker.stop(0)));
  await store.superuser.query('delete from millrace.jobs');
});

async function open(task: Handler<never>, concurrency = 4): Promise<RunningWorker> {
  const worker = await startTestWorker(store, { handlers: { task }, claiming: 'onTick', concurrency });
  opened.push(worker);
  return worker;
}

async function enqueue(payloads: readonly unknown[]): Promise<readonly string[]> {
  const results = await store.queue.enqueue(
    tenantId,
    payloads.map((payload) => ({ definitionKey: 'task', payload })),
  );
  return results.map(({ id }) => id);
}

const quick: Handler<never> = async () => done();
const none = {
  claimed: 0,
  succeeded: 0,
  failed: 0,
  retried: 0,
  snoozed: 0,
  canceled: 0,
  handedBack: 0,
  lost: 0,
};

describe('a tick', () => {
  test('runs a given number of the runnable jobs and no more, in turns of as many as there are slots', async () => {
    let atOnce = 0;
    let most = 0;
    const worker = await open(async () => {
      most = Math.max(most, ++atOnce);
      await new Promise((resolve) => setImmediate(resolve));
      atOnce--;
      return done();
    }, 3);
    await enqueue(Array.from({ length: 12 }, (_, n) => n));
    expect(await runJobsTick({ worker, max: 8 })).toEqual({ ...none, claimed: 8, succeeded: 8 });
    expect(most).toBeLessThanOrEqual(3);
    expect(await runJobsTick({ worker })).toEqual({ ...none, claimed: 4, succeeded: 4 });
    expect(await runJobsTick({ worker })).toEqual(none);
  });

  test('says what became of each, by the rules of any other run', async () => {
    const worker = await open((async ({ payload }: { payload: unknown }) => {
      if (payload === 'error') throw new Error('broke');
      if (payload === 'permanent') throw new PermanentError('Broken', 'for good');
      return payload === 'snooze' ? snoozed(60) : done();
    }) as Handler<never>);
    const [error, permanent, snooze, fine] = await enqueue(['error', 'permanent', 'snooze', 'fine']);
    expect(await worker.tick(4)).toEqual({
      ...none,
      claimed: 4,
      succeeded: 1,
      failed: 1,
      retried: 1,
      snoozed: 1,
    });
    expect(await store.job(error ?? '')).toMatchObject({ status: 'queued', attempt_count: 1 });
    expect(await store.job(permanent ?? '')).toMatchObject({ status: 'failed' });
    expect(await store.job(snooze ?? '')).toMatchObject({ status: 'queued', snooze_count: 1 });
    expect(await store.job(fine ?? '')).toMatchObject({ status: 'succeeded' });
  });

  test('is the only time at which a worker that claims on ticks alone claims at all', async () => {
    const ran: string[] = [];
    const handlerOf = (name: string): Handler<never> =>
      (async () => {
        ran.push(name);
        return done();
      }) as Handler<never>;
    const worker = await open(handlerOf('on a tick'));
    const other = await startTestWorker(store, {
      handlers: { task: handlerOf('by itself') },
      concurrency: 1,
    });
    opened.push(other);
    // Each enqueue notifies both.
    for (let n = 1; n <= 10; n++) {
      await enqueue([n]);
      await waitFor(() => ran.length === n, { describe: `job ${n} to run` });
    }
    await other.stop();
    expect(new Set(ran)).toEqual(new Set(['by itself']));
    await enqueue(['last']);
    expect(await worker.tick(1)).toEqual({ ...none, claimed: 1, succeeded: 1 });
    expect(ran.at(-1)).toBe('on a tick');
  });

  test('claims nothing while others have all the slots, and does not wait for them', async () => {
    const release = Promise.withResolvers<void>();
    const worker = await open(async () => {
      await release.promise;
      return done();
    }, 1);
    await enqueue([1, 2]);
    const busy = worker.tick(1);
    await waitFor(() => worker.runningCount === 1, { describe: 'the first tick’s job to run' });
    expect(await worker.tick(1)).toEqual(none);
    release.resolve();
    expect(await busy).toEqual({ ...none, claimed: 1, succeeded: 1 });
  });

  test('ends with the worker: what it runs is handed back, nothing spent', async () => {
    const worker = await open((async ({ signal }: { signal: AbortSignal }) => {
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    }) as unknown as Handler<never>);
    const [id] = await enqueue([1]);
    const ticking = worker.tick(5);
    await waitFor(() => worker.runningCount === 1, { describe: 'the job to run' });
    await worker.stop(0);
    // A claim that was under way when the worker stopped may find the job again; it is handed back like the
    // first.
    const { claimed, handedBack, ...rest } = await ticking;
    expect(claimed).toBeGreaterThan(0);
    expect({ ...rest, claimed: 0, handedBack: claimed - handedBack }).toEqual(none);
    expect(await store.job(id ?? '')).toMatchObject({ status: 'queued', attempt_count: 0 });
    expect(await worker.tick(5)).toEqual(none);
  });

  test('is refused for a number of jobs that is none', async () => {
    const worker = await open(quick);
    for (const max of [0, 101, 1.5, Number.NaN])
      expect(() => runJobsTick({ worker, max })).toThrow(
        expect.objectContaining({ code: 'InvalidArgument' }),
      );
  });

  test('shares the jobs with others that tick at the same time', async () => {
    const workers = [await open(quick), await open(quick)];
    const ids = await enqueue(Array.from({ length: 40 }, (_, n) => n));
    let succeeded = 0;
    // Until a whole round finds nothing: two may leave each other rows that they lock at the same moment.
    for (let before = -1; before !== succeeded; ) {
      before = succeeded;
      const results = await Promise.all(workers.map((worker) => worker.tick(100)));
      succeeded += results.reduce((sum, result) => sum + result.succeeded, 0);
    }
    expect(succeeded).toBe(40);
    const { rows } = await store.superuser.query(
      'select count(*)::int as n from millrace.job_attempts where job_id = any ($1)',
      [ids],
    );
    expect(rows[0].n).toBe(40);
  });
});
