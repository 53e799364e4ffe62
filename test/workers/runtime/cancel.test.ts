import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { done, snoozed } from '../../../src/core/outcome.ts';
import type { Handler } from '../../../workers/handler.ts';
import type { RunningWorker } from '../../../workers/runtime/running-worker.ts';
import { watchLateness } from '../../support/lateness.ts';
import { openTestQueue, type TestQueue } from '../../support/queue.ts';
import { waitFor } from '../../support/wait.ts';
import { definitions } from './support/definitions.ts';
import { startTestWorker } from './support/worker.ts';

let q: TestQueue;
let tenantId: string;
let worker: RunningWorker;

beforeAll(async () => {
  q = await openTestQueue(definitions);
  tenantId = await q.makeTenant();
});
afterEach(async () => {
  await worker.stop(0);
  // What it handed back would be the next test's worker's first job.
  await q.clear();
});
afterAll(() => q.close());

/** Nothing listens there: LISTEN is refused, as behind a pooler. */
const NOBODY_LISTENS = 'postgres://nobody@127.0.0.1:1/nothing';

async function cancelRunning(handler: Handler, listenUrl?: string) {
  const started = Promise.withResolvers<void>();
  worker = await startTestWorker(q, {
    ...(listenUrl === undefined ? {} : { listenUrl }),
    handlers: {
      task: (context) => {
        started.resolve();
        return handler(context as never);
      },
    },
  });
  const [enqueued] = await q.queue.enqueue(tenantId, [{ definitionKey: 'task', payload: {} }]);
  const id = enqueued?.id ?? '';
  await started.promise;
  const lateness = await watchLateness(q.url);
  const askedMs = performance.now();
  expect(await q.queue.cancel(tenantId, id, 'user:ann', 'not needed any more')).toEqual({
    kind: 'requested',
  });
  return { id, askedMs, lateness };
}

function untilFinal(id: string): Promise<Record<string, unknown>> {
  return waitFor(
    async () => {
      const job = await q.job(id);
      return job['finished_at'] === null ? undefined : job;
    },
    { describe: `job ${id} to be final` },
  );
}

for (const [how, listenUrl] of [
  ['by the notification', undefined],
  ['without LISTEN', NOBODY_LISTENS],
] as const) {
  test(`a running job notices its cancel within a second ${how} and ends canceled with the reason given`, async () => {
    let heardMs = 0;
    let said = '';
    const { id, askedMs, lateness } = await cancelRunning(async ({ signal }) => {
      await sleep(30_000, undefined, { signal }).catch(() => {
        heardMs = performance.now();
        said = `${(signal.reason as Error).name}: ${(signal.reason as Error).message}`;
      });
      throw new Error('interrupted');
    }, listenUrl);
    expect(await untilFinal(id)).toMatchObject({
      status: 'canceled',
      reason: 'not needed any more',
      attempt_count: 0,
    });
    expect(heardMs - askedMs).toBeLessThan(1_000 + (await lateness.allowanceMs()));
    expect(said).toBe('Canceled: not needed any more');
  });
}

test('work that is done although its cancel was requested counts as done', async () => {
  const { id } = await cancelRunning(async ({ signal }) => {
    await sleep(30_000, undefined, { signal }).catch(() => undefined);
    return done('finished all the same');
  });
  expect(await untilFinal(id)).toMatchObject({ status: 'succeeded', result: 'finished all the same' });
});

test('a run that would go back to the queue after its cancel was requested ends canceled instead', async () => {
  const asked = Promise.withResolvers<void>();
  const canceling = cancelRunning(async () => {
    await asked.promise;
    return snoozed(60);
  });
  const { id } = await canceling;
  asked.resolve();
  expect(await untilFinal(id)).toMatchObject({
    status: 'canceled',
    reason: 'not needed any more',
    snooze_count: 0,
  });
});
