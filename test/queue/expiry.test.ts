import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Dependency, EnqueueInput } from '../../src/core/queue.ts';
import { expireJobs } from '../../src/queue/pending-cancel-finisher.ts';
import { finishWithoutRunning } from '../../src/runs/preflight.ts';
import { testPipelines } from '../support/pipelines.ts';
import { jobError, measured, openTestQueue, type TestQueue } from '../support/queue.ts';

let q: TestQueue;
let tenantId: string;
beforeAll(async () => {
  q = await openTestQueue();
});
beforeEach(async () => {
  await q.clear();
  tenantId = await q.makeTenant();
});
afterAll(() => q.close());

const inOneHour = (): Date => new Date(Date.now() + 3_600_000);

async function enqueue(input: Partial<EnqueueInput> = {}): Promise<string> {
  const [result] = await q.queue.enqueue(tenantId, [{ definitionKey: 'alpha', payload: {}, ...input }]);
  return result?.id ?? '';
}

const inHalfAnHour = (): Date => new Date(Date.now() + 1_800_000);

/** Lets the job's time pass. */
const pass = (id: string) =>
  q.superuser.query(`update millrace.jobs set expires_at = now() - interval '1 second' where id = $1`, [id]);

const sweep = () => expireJobs(q.db, q.notifier, testPipelines, 100);

describe('a job that has not begun by its expiresAt', () => {
  test('is canceled as expired by the sweep, without a worker, and lets its children go', async () => {
    const expired = await enqueue({ expiresAt: inOneHour() });
    const dependsOn: readonly Dependency[] = [{ jobId: expired }];
    const child = await enqueue({ dependsOn });
    const runs = await enqueue({ dependsOn: [{ jobId: expired, policy: 'run' }] });
    const later = await enqueue({ expiresAt: inOneHour() });
    expect(await sweep()).toBe(0);
    await pass(expired);
    expect(await sweep()).toBe(1);
    expect(await q.job(expired)).toMatchObject({ status: 'canceled', reason: 'expired', run_no: 0 });
    expect(await q.job(child)).toMatchObject({ status: 'canceled', reason: 'parent_failed' });
    expect(await q.job(runs)).toMatchObject({ status: 'queued', pending_dependencies: 0 });
    expect(await q.job(later)).toMatchObject({ status: 'queued', reason: null });
  });

  test.each([
    [
      'waits for a parent',
      async () => enqueue({ expiresAt: inOneHour(), dependsOn: [{ jobId: await enqueue() }] }),
    ],
    ['waits for its time', async () => enqueue({ expiresAt: inOneHour(), scheduledFor: inHalfAnHour() })],
  ])('is canceled also while it %s', async (_, make) => {
    const id = await make();
    await pass(id);
    expect(await sweep()).toBe(1);
    expect(await q.job(id)).toMatchObject({ status: 'canceled', reason: 'expired' });
  });

  test('is ended by a worker that claims it first, without being run', async () => {
    const id = await enqueue({ expiresAt: inOneHour() });
    await pass(id);
    const claimed = (await q.claim(100)).find(({ job }) => job.id === id);
    if (claimed === undefined) throw new Error('not claimed');
    const finish = finishWithoutRunning(claimed);
    expect(finish).toEqual({ kind: 'final', settlement: { status: 'canceled', reason: 'expired' } });
    if (finish !== null) await q.queue.finish(claimed, finish, { startedAtMs: null, wallMs: 0, cpuMs: null });
    expect(await q.job(id)).toMatchObject({ status: 'canceled', reason: 'expired', attempt_count: 0 });
    const { rows } = await q.superuser.query('select from millrace.job_attempts where job_id = $1', [id]);
    expect(rows).toEqual([]);
  });
});

describe('a job with expiresAt', () => {
  test('that has begun in time is neither canceled while it runs nor before its next try', async () => {
    const id = await enqueue({ expiresAt: inOneHour() });
    const claimed = (await q.claim(100)).find(({ job }) => job.id === id);
    if (claimed === undefined) throw new Error('not claimed');
    await pass(id);
    expect(await sweep()).toBe(0);
    await q.queue.finish(claimed, { kind: 'retry', delaySeconds: 0, error: jobError() }, measured());
    expect(await sweep()).toBe(0);
    const again = (await q.claim(100)).find(({ job }) => job.id === id);
    expect(again && finishWithoutRunning(again)).toBeNull();
  });

  test('is retried by an operator without it, once it has passed', async () => {
    const id = await enqueue({ expiresAt: inOneHour() });
    await pass(id);
    await sweep();
    expect(await q.queue.retry(tenantId, id)).toEqual({ kind: 'queued' });
    expect(await q.job(id)).toMatchObject({ status: 'queued', expires_at: null, reason: null });
    expect(await sweep()).toBe(0);
  });
});
