import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { ClaimedJob } from '../../src/core/queue.ts';
import { WATCH_CHANNEL } from '../../src/db/channels.ts';
import { createListener, type Listener } from '../../src/db/listener.ts';
import { enqueueAndWait } from '../../src/queue/enqueue-and-wait.ts';
import { JobWaiter } from '../../src/queue/job-waiter.ts';
import { jobError, measured, openTestQueue, silentLog, succeeded, type TestQueue } from '../support/queue.ts';
import { waitFor } from '../support/wait.ts';

let q: TestQueue;
let tenantId: string;
let listener: Listener;
let waiter: JobWaiter;
beforeAll(async () => {
  q = await openTestQueue();
  listener = createListener({ connectionString: q.url, channels: [WATCH_CHANNEL], log: silentLog });
  await listener.start();
});
beforeEach(async () => {
  await q.clear();
  tenantId = await q.makeTenant();
  // A poll that never comes: what arrives was notified.
  waiter = new JobWaiter({ database: q.db, listener, pollMs: 3_600_000 });
});
afterEach(() => waiter.close());
afterAll(async () => {
  await listener.stop();
  await q.close();
});

const input = { definitionKey: 'alpha', payload: {} };
const wait = (options: { timeoutSeconds?: number; signal?: AbortSignal } = {}, by = waiter) =>
  enqueueAndWait(q.queue, by, tenantId, input, { timeoutSeconds: 60, ...options });

async function claimAll(count: number): Promise<readonly ClaimedJob[]> {
  const claimed: ClaimedJob[] = [];
  await waitFor(
    async () => {
      claimed.push(...(await q.claim(500)));
      return claimed.length === count;
    },
    { describe: `${count} jobs to claim` },
  );
  return claimed;
}

test('enqueueAndWait resolves with the job and its result when the notification arrives', async () => {
  const waiting = wait();
  const [claimed] = await claimAll(1);
  await q.queue.finish(claimed as ClaimedJob, succeeded({ answer: 42 }), measured());
  expect(await waiting).toMatchObject({ id: claimed?.job.id, status: 'succeeded', result: { answer: 42 } });
});

test('enqueueAndWait resolves with a job that failed: the error is on the job', async () => {
  const waiting = wait();
  const [claimed] = await claimAll(1);
  const finish = { kind: 'final', settlement: { status: 'failed', error: jobError('no way') } } as const;
  await q.queue.finish(claimed as ClaimedJob, finish, measured());
  expect(await waiting).toMatchObject({ status: 'failed', lastError: { message: 'no way' } });
});

test('enqueueAndWait finds the end by polling where nothing can be heard', async () => {
  const polling = new JobWaiter({ database: q.db, listener: null, pollMs: 20 });
  const waiting = wait({}, polling);
  const [claimed] = await claimAll(1);
  await q.queue.finish(claimed as ClaimedJob, succeeded(), measured());
  expect(await waiting).toMatchObject({ status: 'succeeded' });
  polling.close();
});

test('a job that has ended already is waited for no longer than one look', async () => {
  const first = wait();
  const [claimed] = await claimAll(1);
  await q.queue.finish(claimed as ClaimedJob, succeeded(), measured());
  const { id } = await first;
  expect(await waiter.wait(id, { timeoutSeconds: 30 })).toMatchObject({ id, status: 'succeeded' });
});

test('a wait that takes too long is rejected as WaitTimeout, and the job goes on', async () => {
  const error = await wait({ timeoutSeconds: 0.05 }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'WaitTimeout', details: { timeoutSeconds: 0.05 } });
  const [claimed] = await claimAll(1);
  expect((error as { details: { jobId: string } }).details.jobId).toBe(claimed?.job.id);
  await q.queue.finish(claimed as ClaimedJob, succeeded(), measured());
  expect(await q.job(claimed?.job.id ?? '')).toMatchObject({ status: 'succeeded' });
});

test('an aborted signal ends the wait with its reason; aborted before, nothing is enqueued', async () => {
  const controller = new AbortController();
  const waiting = wait({ signal: controller.signal });
  await claimAll(1);
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await expect(wait({ signal: controller.signal })).rejects.toThrow('enough');
  await expect(wait({ timeoutSeconds: 0 })).rejects.toMatchObject({ code: 'InvalidArgument' });
  await expect(wait({ timeoutSeconds: Number.NaN })).rejects.toMatchObject({ code: 'InvalidArgument' });
  const { rows } = await q.superuser.query('select count(*)::int from millrace.jobs where tenant_id = $1', [
    tenantId,
  ]);
  expect(rows[0].count).toBe(1);
});

test('200 waiters share one statement a look, and none is left over', async () => {
  const asked = vi.spyOn(q.db, 'asWorker');
  const all = Array.from({ length: 200 }, () => wait());
  const claimed = await claimAll(200);
  const looks = () => asked.mock.calls.filter(([statement]) => statement.name === 'find_final_jobs').length;
  const before = looks();
  await Promise.all(claimed.map((item) => q.queue.finish(item, succeeded(item.job.id), measured())));
  const jobs = await Promise.all(all);
  expect(jobs.map((job) => job.result)).toEqual(jobs.map((job) => job.id));
  expect(looks() - before).toBeLessThan(100);
  asked.mockRestore();
});
