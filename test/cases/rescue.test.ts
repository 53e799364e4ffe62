import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createPostgresQueue } from '../../src/queue/postgres-queue.ts';
import { testPipelines } from '../support/pipelines.ts';
import { alpha, jobError, measured, openTestQueue, succeeded, type TestQueue } from '../support/queue.ts';

let q: TestQueue;
let tenantId: string;
beforeAll(async () => {
  q = await openTestQueue();
  tenantId = await q.makeTenant();
});
beforeEach(() => q.clear());
afterAll(() => q.close());

async function enqueue(dedupeKey: string | null = null): Promise<string> {
  const [result] = await q.queue.enqueue(tenantId, [{ definitionKey: alpha.key, payload: {}, dedupeKey }]);
  return result?.id ?? '';
}

async function claimOne(id: string) {
  await q.superuser.query('update millrace.jobs set scheduled_for = clock_timestamp() where id = $1', [id]);
  const claimed = (await q.claim(100)).find(({ job }) => job.id === id);
  if (claimed === undefined) throw new Error(`job ${id} was not claimed`);
  return claimed;
}

const leaseEnds = (id: string) =>
  q.superuser.query(
    `update millrace.jobs set lease_expires_at = clock_timestamp() - interval '1 s' where id = $1`,
    [id],
  );

test('a job whose definition no process knows any more is put back by the maintenance leader', async () => {
  const id = await enqueue();
  await claimOne(id);
  await leaseEnds(id);
  const ignorant = createPostgresQueue(q.db, q.notifier, new Map(), { pipelines: testPipelines });
  expect(await ignorant.rescue(100)).toEqual([id]);
  // It waits for a worker that knows it; nobody else ends it.
  expect(await q.job(id)).toMatchObject({ status: 'queued', lost_lease_count: 1, attempt_count: 1 });
  const claimed = await claimOne(id);
  expect(await q.queue.finish(claimed, succeeded(), measured())).toBe('settled');
});

test('the jobs of a worker are put back although its own row is long gone', async () => {
  const id = await enqueue();
  await q.superuser.query(
    `insert into millrace.job_workers (worker_id, hostname, pid, concurrency) values ('worker-a', 'here', 1, 1)`,
  );
  await claimOne(id);
  await q.superuser.query(`delete from millrace.job_workers where worker_id = 'worker-a'`);
  await leaseEnds(id);
  expect(await q.queue.rescue(100)).toEqual([id]);
});

test('a dedupe key stands in the way of no move of the job that holds it', async () => {
  const id = await enqueue('only-one');
  const again = async () => expect(await enqueue('only-one')).toBe(id);
  const finish = async (how: Parameters<TestQueue['queue']['finish']>[1]) =>
    expect(await q.queue.finish(await claimOne(id), how, measured())).toBe('settled');

  await again();
  await finish({ kind: 'retry', delaySeconds: 0, error: jobError() });
  await again();
  await finish({ kind: 'snooze', delaySeconds: 0, reason: 'not yet' });
  await again();
  await finish({ kind: 'handBack' });
  await claimOne(id);
  await leaseEnds(id);
  expect(await q.queue.rescue(100)).toEqual([id]);
  await again();
  await finish({ kind: 'final', settlement: { status: 'failed', error: jobError() } });
  expect(await q.queue.retry(tenantId, id)).toEqual({ kind: 'queued' });
  await again();
  expect(await q.queue.cancel(tenantId, id, 'user:ann', null)).toEqual({ kind: 'canceled' });
  expect(await q.queue.retry(tenantId, id)).toEqual({ kind: 'queued' });
  await finish(succeeded());
  // Only now is the key free.
  expect(await enqueue('only-one')).not.toBe(id);
});
