import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ClaimedJob, EnqueueInput } from '../../src/core/queue.ts';
import { jobError, measured, openTestQueue, succeeded, type TestQueue } from '../support/queue.ts';

let q: TestQueue;
beforeAll(async () => {
  q = await openTestQueue();
});
beforeEach(() => q.clear());
afterAll(() => q.close());

/** A running job of a tenant of its own. */
async function running(input: Partial<EnqueueInput> = {}): Promise<ClaimedJob> {
  const tenantId = await q.makeTenant();
  await q.queue.enqueue(tenantId, [{ definitionKey: 'alpha', payload: {}, ...input }]);
  const claimed = (await q.claim(50)).find((item) => item.job.tenantId === tenantId);
  if (claimed === undefined) throw new Error('not claimed');
  return claimed;
}

async function attempts(id: string) {
  const { rows } = await q.superuser.query(
    'select * from millrace.job_attempts where job_id = $1 order by attempt_no',
    [id],
  );
  return rows;
}

async function claimAgain(id: string): Promise<ClaimedJob> {
  await q.superuser.query(`update millrace.jobs set scheduled_for = now() where id = $1`, [id]);
  const claimed = (await q.claim(50, 'worker-b')).find((item) => item.job.id === id);
  if (claimed === undefined) throw new Error('not claimed again');
  return claimed;
}

describe('finish', () => {
  test('settles a success with its result and one attempt row', async () => {
    const claimed = await running();
    expect(await q.queue.finish(claimed, succeeded({ answer: 42 }), measured())).toBe('settled');
    expect(await q.job(claimed.job.id)).toMatchObject({
      status: 'succeeded',
      result: { answer: 42 },
      attempt_count: 0,
      lease_token: null,
      last_error: null,
    });
    expect(await attempts(claimed.job.id)).toMatchObject([
      { attempt_no: 1, status: 'succeeded', worker_id: 'worker-a', wall_ms: 5 },
    ]);
  });

  test('puts a failed run back with its delay, its error and one attempt spent', async () => {
    const claimed = await running();
    await q.queue.finish(claimed, { kind: 'retry', delaySeconds: 60, error: jobError('boom') }, measured());
    const row = await q.job(claimed.job.id);
    expect(row).toMatchObject({
      status: 'queued',
      attempt_count: 1,
      run_no: 1,
      last_error: { message: 'boom' },
    });
    expect((row['scheduled_for'] as Date).getTime()).toBeGreaterThan(Date.now() + 50_000);
    expect(await attempts(claimed.job.id)).toMatchObject([{ status: 'failed', error: { message: 'boom' } }]);
  });

  test('spends no attempt and writes no row for a snooze or a hand-back', async () => {
    const claimed = await running();
    await q.queue.finish(claimed, { kind: 'snooze', delaySeconds: 0, reason: 'not ready' }, measured());
    expect(await q.job(claimed.job.id)).toMatchObject({
      status: 'queued',
      attempt_count: 0,
      snooze_count: 1,
      reason: 'not ready',
    });
    const again = await claimAgain(claimed.job.id);
    await q.queue.finish(again, { kind: 'handBack' }, { startedAtMs: null, wallMs: 0, cpuMs: null });
    expect(await q.job(claimed.job.id)).toMatchObject({
      status: 'queued',
      attempt_count: 0,
      snooze_count: 1,
      run_no: 2,
    });
    expect(await attempts(claimed.job.id)).toEqual([]);
  });

  test('neither spends nor writes an attempt for a job that is settled without having been run', async () => {
    const claimed = await running();
    await q.queue.finish(
      claimed,
      { kind: 'final', settlement: { status: 'dead_letter', error: jobError('poison') } },
      { startedAtMs: null, wallMs: 0, cpuMs: null },
    );
    expect(await q.job(claimed.job.id)).toMatchObject({ status: 'dead_letter', attempt_count: 0 });
    expect(await attempts(claimed.job.id)).toEqual([]);
  });

  test('changes nothing for a run whose job another run has by now', async () => {
    const first = await running();
    await q.superuser.query(
      `update millrace.jobs set lease_expires_at = now() - interval '1 second' where id = $1`,
      [first.job.id],
    );
    expect(await q.queue.rescue(10)).toEqual([first.job.id]);
    const second = await claimAgain(first.job.id);
    const before = await q.job(first.job.id);
    for (const finish of [succeeded('late'), { kind: 'handBack' } as const]) {
      expect(await q.queue.finish(first, finish, measured())).toBe('notOwner');
    }
    expect(await q.queue.holds(first.lease)).toBe(false);
    expect(await q.queue.start(first.lease)).toBe(false);
    expect(await q.queue.heartbeat([first.lease], [30])).toEqual({
      lost: [first.job.id],
      busy: [],
      cancelRequested: [],
    });
    expect(await q.job(first.job.id)).toEqual(before);
    expect(await q.queue.finish(second, succeeded('good'), measured())).toBe('settled');
    expect((await q.job(first.job.id))['result']).toBe('good');
  });

  test('settles 1,200 runs at once in shared statements, each exactly once', async () => {
    const tenantId = await q.makeTenant();
    await q.queue.enqueue(
      tenantId,
      Array.from({ length: 1200 }, (_, i) => ({ definitionKey: 'beta', payload: i })),
    );
    const claimed: ClaimedJob[] = [];
    for (let batch = await q.claim(500); batch.length > 0; batch = await q.claim(500)) claimed.push(...batch);
    const twice = [...claimed, ...claimed];
    const results = await Promise.all(
      twice.map((item) => q.queue.finish(item, succeeded(item.job.payload), measured())),
    );
    expect(results.filter((result) => result === 'settled')).toHaveLength(1200);
    expect(results.filter((result) => result === 'notOwner')).toHaveLength(1200);
  });

  test('gives a batch with one unstorable item only that item back', async () => {
    const [good, bad] = [await running(), await running()];
    // Deeper than jsonb's parser goes.
    const deep = JSON.parse(`${'['.repeat(7000)}${']'.repeat(7000)}`);
    const results = await Promise.allSettled([
      q.queue.finish(bad, succeeded(deep), measured()),
      q.queue.finish(good, succeeded(1), measured()),
    ]);
    expect(results[1]).toEqual({ status: 'fulfilled', value: 'settled' });
    expect(results[0]?.status).toBe('rejected');
    expect(await q.queue.holds(bad.lease)).toBe(true);
  });

  test('of a worker of the previous version is answered as that one reads it', async () => {
    const [ours, lost] = [await running(), await running()];
    const { rows } = await q.superuser.query(
      `select * from millrace.settle_jobs($1, '{1}', $2, '{succeeded}', '{null}', null, null, null, '{succeeded}', null, '{3}', null)`,
      [
        [ours.lease.jobId, lost.lease.jobId],
        [ours.lease.token, '00000000-0000-4000-8000-000000000000'],
      ],
    );
    expect(rows).toEqual([{ job_id: ours.lease.jobId, released: null }]);
    expect((await q.job(ours.job.id))['status']).toBe('succeeded');
    expect((await q.job(lost.job.id))['status']).toBe('running');
  });

  test('keeps head and tail of a huge error text', async () => {
    const claimed = await running();
    await q.queue.finish(
      claimed,
      { kind: 'retry', delaySeconds: 1, error: jobError(`HEAD${'x'.repeat(5_000_000)}TAIL`) },
      measured(),
    );
    const message = ((await q.job(claimed.job.id))['last_error'] as { message: string }).message;
    expect(message.length).toBeLessThan(17_000);
    expect(message.startsWith('HEAD')).toBe(true);
    expect(message.endsWith('TAIL')).toBe(true);
  });
});
