import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defineJob } from '../../src/core/definition.ts';
import { SYSTEM_TENANT_ID } from '../../src/core/ids.ts';
import { CALLS_POLICY, LIBRARY_POLICY } from '../../src/core/policies/presets.ts';
import { type OpenJobs, openJobs } from '../../src/library/index.ts';
import { openTestQueue, silentLog, type TestQueue } from '../support/queue.ts';
import { waitFor } from '../support/wait.ts';

const report = defineJob({
  key: 'report',
  payload: Type.Object({ n: Type.Integer(), unit: Type.String({ default: 'km' }) }),
  leaseSeconds: 2,
  ...LIBRARY_POLICY,
});
const transcribe = defineJob({
  key: 'transcribe_start',
  payload: Type.Any(),
  leaseSeconds: 2,
  ...CALLS_POLICY,
});

let store: TestQueue;
let jobs: OpenJobs;
let elsewhere: OpenJobs;
let tenantId: string;

beforeAll(async () => {
  store = await openTestQueue([report, transcribe]);
});
afterAll(() => store?.close());
beforeEach(async () => {
  await store.superuser.query('delete from millrace.jobs');
  tenantId = await store.makeTenant();
  const options = { databaseUrl: store.url, definitions: [report, transcribe], log: silentLog };
  [jobs, elsewhere] = await Promise.all([openJobs(options), openJobs(options)]);
});
afterEach(async () => {
  await Promise.all([jobs.close(), elsewhere.close()]);
});

async function makeDue(id: string): Promise<void> {
  await store.superuser.query('update millrace.jobs set scheduled_for = clock_timestamp() where id = $1', [
    id,
  ]);
}

const databaseNow = async (): Promise<Date> =>
  (await store.superuser.query('select clock_timestamp() as now')).rows[0].now;

/**
 * What `settle` makes of the job's time, in seconds from then: by the database's clock before and after it.
 */
async function delayBy(id: string, settle: () => Promise<unknown>) {
  const before = await databaseNow();
  await settle();
  const after = await databaseNow();
  const due = ((await store.job(id))['scheduled_for'] as Date).getTime();
  return { leastSeconds: (due - after.getTime()) / 1000, mostSeconds: (due - before.getTime()) / 1000 };
}

describe('the repository', () => {
  test('writes a job for a tenant, or for the installation itself, and gives it out with its defaults', async () => {
    const runAt = new Date(Date.now() + 3_600_000);
    const later = await jobs.repository.enqueue({
      type: 'report',
      orgId: tenantId,
      payload: { n: 1 },
      runAt,
    });
    const global = await jobs.repository.enqueue({ type: 'report', orgId: null, payload: { n: 2 } });
    expect(await store.job(later)).toMatchObject({ tenant_id: tenantId, scheduled_for: runAt });
    expect(await store.job(global)).toMatchObject({ tenant_id: SYSTEM_TENANT_ID });
    expect(await jobs.repository.claim('me')).toEqual({
      id: global,
      type: 'report',
      orgId: null,
      payload: { n: 2, unit: 'km' },
      attempts: 0,
      maxAttempts: 5,
    });
    expect(await jobs.repository.claim('me')).toBeNull();
  });

  test('refuses what cannot be a job: its type, its organisation, its payload', async () => {
    const refused = (input: object) =>
      expect(jobs.repository.enqueue({ type: 'report', payload: { n: 1 }, ...input })).rejects;
    await refused({ type: 'no-such' }).toMatchObject({ code: 'UnknownDefinition' });
    await refused({ orgId: 'acme' }).toMatchObject({ code: 'InvalidArgument', details: { field: 'orgId' } });
    await refused({ payload: { n: 'one' } }).toMatchObject({ code: 'InvalidPayload' });
  });

  test('enqueues once while an equal job is active, when asked to', async () => {
    const input = { type: 'transcribe_start', orgId: tenantId, dedupe: true };
    const first = await jobs.repository.enqueue({ ...input, payload: { a: 1, b: [{ c: 1, d: 2 }] } });
    expect(await jobs.repository.enqueue({ ...input, payload: { b: [{ d: 2, c: 1 }], a: 1 } })).toBe(first);
    expect(await jobs.repository.enqueue({ ...input, payload: { a: 2 } })).not.toBe(first);
    const long = { ...input, payload: { text: 'x'.repeat(10_000) } };
    expect(await jobs.repository.enqueue(long)).toBe(await jobs.repository.enqueue(long));
  });

  test('marks success; marks failure with the library’s backoff until five runs have failed', async () => {
    const id = await jobs.repository.enqueue({ type: 'report', orgId: tenantId, payload: { n: 1 } });
    for (const [attempt, delay] of [1, 1, 2, 4].entries()) {
      expect(await jobs.repository.claim('me')).toMatchObject({ id, attempts: attempt });
      const waits = await delayBy(id, () => jobs.repository.markFailure(id, `broke ${attempt}`));
      expect(waits.leastSeconds).toBeLessThanOrEqual(delay);
      expect(waits.mostSeconds).toBeGreaterThanOrEqual(delay);
      await makeDue(id);
    }
    expect(await jobs.repository.claim('me')).toMatchObject({ id, attempts: 4 });
    await jobs.repository.markFailure(id, 'broke for good');
    expect(await store.job(id)).toMatchObject({
      status: 'dead_letter',
      attempt_count: 5,
      last_error: { message: 'broke for good', retryCount: 4 },
    });
    const other = await jobs.repository.enqueue({ type: 'report', payload: { n: 1 } });
    await jobs.repository.claim('me');
    await jobs.repository.markSuccess(other);
    expect(await store.job(other)).toMatchObject({ status: 'succeeded' });
  });

  test('does not give out what must not run: it is ended on the way', async () => {
    const bad = await jobs.repository.enqueue({ type: 'report', orgId: tenantId, payload: { n: 1 } });
    await store.superuser.query("update millrace.jobs set payload = '{}' where id = $1", [bad]);
    const poison = await jobs.repository.enqueue({ type: 'report', orgId: tenantId, payload: { n: 2 } });
    await store.superuser.query('update millrace.jobs set lost_lease_count = 4 where id = $1', [poison]);
    expect(await jobs.repository.claim('me')).toBeNull();
    expect(await store.job(bad)).toMatchObject({ status: 'failed', last_error: { type: 'InvalidPayload' } });
    expect(await store.job(poison)).toMatchObject({ status: 'dead_letter' });
  });
});

describe('a job is settled only by the process that has claimed it', () => {
  test('and by it only once, whichever of its verbs', async () => {
    const id = await jobs.repository.enqueue({ type: 'report', orgId: tenantId, payload: { n: 1 } });
    await jobs.repository.claim('me');
    const notOwner = { code: 'NotOwner', details: { field: 'id' } };
    for (const settle of [
      () => elsewhere.repository.markSuccess(id),
      () => elsewhere.repository.markFailure(id, 'no'),
      () => elsewhere.queue.complete(id),
      () => elsewhere.queue.fail(id, 'no', 1),
      () => jobs.queue.complete(randomUUID()),
    ])
      await expect(settle()).rejects.toMatchObject(notOwner);
    expect(await store.job(id)).toMatchObject({ status: 'running', attempt_count: 0 });
    const [first, second] = await Promise.allSettled([
      jobs.queue.complete(id),
      jobs.repository.markFailure(id, 'too late'),
    ]);
    expect(first.status).toBe('fulfilled');
    expect(second).toMatchObject({ status: 'rejected', reason: notOwner });
    await expect(jobs.queue.complete(id)).rejects.toMatchObject(notOwner);
    expect(await store.job(id)).toMatchObject({ status: 'succeeded' });
  });

  test('and no longer when its lease was lost to another', async () => {
    const id = await jobs.repository.enqueue({ type: 'report', orgId: tenantId, payload: { n: 1 } });
    await jobs.repository.claim('me');
    const expire =
      "update millrace.jobs set lease_expires_at = clock_timestamp() - interval '1 s' where id = $1";
    await store.superuser.query(expire, [id]);
    await store.queue.rescue(10);
    await makeDue(id);
    expect(await elsewhere.repository.claim('you')).toMatchObject({ id, attempts: 1 });
    await expect(jobs.repository.markSuccess(id)).rejects.toMatchObject({ code: 'NotOwner' });
    await elsewhere.repository.markSuccess(id);
    expect(await store.job(id)).toMatchObject({ status: 'succeeded', run_no: 2 });
  });

  test('its lease being renewed for as long as it is held', async () => {
    const id = await jobs.repository.enqueue({ type: 'report', orgId: tenantId, payload: { n: 1 } });
    await jobs.repository.claim('me');
    const { lease_expires_at: first } = await store.job(id);
    await waitFor(
      async () =>
        ((await store.job(id))['lease_expires_at'] as Date).getTime() > (first as Date).getTime() + 1_000,
      { describe: 'the lease to be renewed' },
    );
    expect(await store.queue.rescue(10)).toEqual([]);
    await jobs.repository.markSuccess(id);
  });

  test('and what it still holds goes back, nothing spent, when it closes', async () => {
    const id = await jobs.repository.enqueue({ type: 'report', orgId: tenantId, payload: { n: 1 } });
    const closing = await openJobs({ databaseUrl: store.url, definitions: [report], log: silentLog });
    await closing.repository.claim('me');
    await closing.close();
    expect(await store.job(id)).toMatchObject({
      status: 'queued',
      attempt_count: 0,
      run_no: 1,
      snooze_count: 0,
    });
  });
});

describe('the call queue', () => {
  const call = { call_id: 'call-7', stage: 'transcribe_start', payload: { path: 'a.ogg' } };

  test('gives out a job in its own words, and completes it', async () => {
    expect(await jobs.queue.claim('w')).toBeNull();
    await jobs.queue.enqueue({ ...call, org_id: tenantId, max_attempts: 7 });
    const job = await jobs.queue.claim('w');
    expect(job).toEqual({ ...call, org_id: tenantId, id: job?.id, attempts: 0, max_attempts: 7 });
    await jobs.queue.complete(job?.id ?? '');
    expect(await store.job(job?.id ?? '')).toMatchObject({ status: 'succeeded', subject_type: 'call' });
  });

  test('runs the worker loop that it was written for, with its backoff, to the last attempt', async () => {
    await jobs.queue.enqueue({ ...call, org_id: tenantId });
    const waits: Awaited<ReturnType<typeof delayBy>>[] = [];
    let id = '';
    for (let job = await jobs.queue.claim('w'); job !== null; job = await jobs.queue.claim('w')) {
      const { id: jobId, attempts } = job;
      id = jobId;
      const backoffSeconds = Math.min(600, 30 * 2 ** attempts);
      waits.push(await delayBy(jobId, () => jobs.queue.fail(jobId, 'Error: no', backoffSeconds)));
      await makeDue(jobId);
    }
    for (const [index, seconds] of [30, 60, 120, 240].entries()) {
      expect(waits[index]?.leastSeconds).toBeLessThanOrEqual(seconds);
      expect(waits[index]?.mostSeconds).toBeGreaterThanOrEqual(seconds);
    }
    expect(await store.job(id)).toMatchObject({ status: 'dead_letter', attempt_count: 5 });
  });

  test('ends a failed job as canceled, with its reason, when somebody has asked for that', async () => {
    await jobs.queue.enqueue({ ...call, org_id: tenantId });
    const job = await jobs.queue.claim('w');
    const id = job?.id ?? '';
    await store.queue.cancel(tenantId, id, 'user:a', 'call was deleted');
    await jobs.queue.fail(id, 'Error: no', 30);
    expect(await store.job(id)).toMatchObject({ status: 'canceled', reason: 'call was deleted' });
  });

  test('refuses a delay that is none, and still holds the job', async () => {
    await jobs.queue.enqueue({ ...call, org_id: tenantId, available_at: new Date(0) });
    const id = (await jobs.queue.claim('w'))?.id ?? '';
    for (const seconds of [Number.NaN, -1, Number.POSITIVE_INFINITY])
      await expect(jobs.queue.fail(id, 'no', seconds)).rejects.toMatchObject({ code: 'InvalidArgument' });
    await jobs.queue.fail(id, 'no', 0);
    expect(await store.job(id)).toMatchObject({ status: 'queued', attempt_count: 1 });
  });
});
