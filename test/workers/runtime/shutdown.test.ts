import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { done } from '../../../src/core/outcome.ts';
import type { Handler } from '../../../workers/handler.ts';
import type { RunningWorker } from '../../../workers/runtime/running-worker.ts';
import { openTestQueue, type TestQueue } from '../../support/queue.ts';
import { waitFor } from '../../support/wait.ts';
import { definitions } from './support/definitions.ts';
import { startTestWorker } from './support/worker.ts';
import { WorkerProcesses } from './support/worker-process.ts';

let q: TestQueue;
let tenantId: string;
const opened: RunningWorker[] = [];

beforeAll(async () => {
  q = await openTestQueue(definitions);
  tenantId = await q.makeTenant();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((worker) => worker.stop(0)));
  // What a test leaves in the queue is not for the next one's worker to find.
  await q.clear();
});
afterAll(() => q.close());

async function startWith(handler: Handler, options: { readonly concurrency?: number } = {}) {
  const started = Promise.withResolvers<void>();
  const worker = await startTestWorker(q, {
    ...options,
    handlers: {
      task: (context) => {
        started.resolve();
        return handler(context as never);
      },
    },
  });
  opened.push(worker);
  const [enqueued] = await q.queue.enqueue(tenantId, [{ definitionKey: 'task', payload: {} }]);
  await started.promise;
  return { worker, id: enqueued?.id ?? '' };
}

test('a stopping worker lets its jobs end within the grace and claims nothing more', async () => {
  const release = Promise.withResolvers<void>();
  const { worker, id } = await startWith(async () => {
    await release.promise;
    return done('in time');
  });
  const stopped = worker.stop(30);
  const [later] = await q.queue.enqueue(tenantId, [{ definitionKey: 'task', payload: {} }]);
  await sleep(600); // longer than a poll
  release.resolve();
  await stopped;
  expect(await q.job(id)).toMatchObject({ status: 'succeeded', result: 'in time' });
  expect(await q.job(later?.id ?? '')).toMatchObject({ status: 'queued', attempt_count: 0 });
  const { rows } = await q.superuser.query('select 1 from millrace.job_workers where worker_id = $1', [
    worker.workerId,
  ]);
  expect(rows).toEqual([]);
});

test('what has not ended by then is asked to stop and handed back with its attempt unspent', async () => {
  let reason = '';
  const { worker, id } = await startWith(async ({ signal }) => {
    await sleep(30_000, undefined, { signal }).catch(() => (reason = (signal.reason as Error).name));
    throw new Error('interrupted');
  });
  await worker.stop(0.1);
  expect(reason).toBe('ShuttingDown');
  expect(await q.job(id)).toMatchObject({
    status: 'queued',
    run_no: 1,
    attempt_count: 0,
    lost_lease_count: 0,
    last_error: null,
  });
  const { rows } = await q.superuser.query(
    'select status, error from millrace.job_attempts where job_id = $1',
    [id],
  );
  expect(rows).toEqual([{ status: 'interrupted', error: null }]);
});

test('a handler that ignores its signal does not keep the worker from stopping', async () => {
  const end = Promise.withResolvers<void>();
  const { worker, id } = await startWith(async () => {
    await end.promise;
    return done();
  });
  await worker.stop(0);
  expect(await q.job(id)).toMatchObject({ status: 'queued', attempt_count: 0 });
  end.resolve();
});

test('a job that is canceled while its worker stops ends canceled', async () => {
  const { worker, id } = await startWith(async ({ signal }) => {
    await sleep(30_000, undefined, { signal });
    return done();
  });
  const stopped = worker.stop(10);
  await q.queue.cancel(tenantId, id, 'user:ann', null);
  await stopped;
  expect(await q.job(id)).toMatchObject({ status: 'canceled', reason: 'canceled by user:ann' });
});

test('a second signal ends the process at once, its jobs handed back', async () => {
  const processes = await WorkerProcesses.open();
  try {
    const started = await processes.start(q.url);
    const { workerIds } = await started.event('ready');
    const [job] = await q.queue.enqueue(tenantId, [
      { definitionKey: 'task', payload: { do: 'deaf', ms: 60_000 } },
    ]);
    const id = job?.id ?? '';
    await started.event('started', id);
    started.kill('SIGTERM');
    await waitFor(
      async () =>
        (
          await q.superuser.query(
            'select 1 from millrace.job_workers where worker_id = any ($1) and stopping_at is not null',
            [workerIds],
          )
        ).rowCount === 1,
      { describe: 'the worker to say that it stops' },
    );
    started.kill('SIGTERM');
    expect(await started.exited).toBe(0);
    expect(await q.job(id)).toMatchObject({ status: 'queued', run_no: 1, attempt_count: 0 });
  } finally {
    await processes.close();
  }
});
