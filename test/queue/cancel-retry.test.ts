import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { JOB_STATUSES, type JobStatus } from '../../src/core/job.ts';
import type { ClaimedJob } from '../../src/core/queue.ts';
import { isLegalMove } from '../../src/core/states.ts';
import { jobError, measured, openTestQueue, succeeded, type TestQueue } from '../support/queue.ts';

let q: TestQueue;
let tenantId: string;
beforeAll(async () => {
  q = await openTestQueue();
  tenantId = await q.makeTenant();
});
beforeEach(() => q.clear());
afterAll(() => q.close());

async function queued(dedupeKey: string | null = null): Promise<string> {
  const [result] = await q.queue.enqueue(tenantId, [{ definitionKey: 'alpha', payload: {}, dedupeKey }]);
  return result?.id ?? '';
}

async function running(dedupeKey: string | null = null, workerId = 'worker-a'): Promise<ClaimedJob> {
  const id = await queued(dedupeKey);
  const claimed = (await q.claim(100, workerId)).find((item) => item.job.id === id);
  if (claimed === undefined) throw new Error('not claimed');
  return claimed;
}

const cancel = (id: string, tenant = tenantId) => q.queue.cancel(tenant, id, 'user:ann', null);
const failed = { kind: 'final', settlement: { status: 'failed', error: jobError() } } as const;

describe('cancel', () => {
  test('ends a queued job at once and says who did it', async () => {
    const id = await queued();
    expect(await cancel(id)).toEqual({ kind: 'canceled' });
    expect(await q.job(id)).toMatchObject({ status: 'canceled', reason: 'canceled by user:ann' });
    expect(await cancel(id)).toEqual({ kind: 'wrongState', status: 'canceled' });
  });

  test('asks a running job, whose worker notices it with its next heartbeat', async () => {
    const claimed = await running();
    expect(await cancel(claimed.job.id)).toEqual({ kind: 'requested' });
    expect(await q.job(claimed.job.id)).toMatchObject({ status: 'running' });
    expect(await q.queue.heartbeat([claimed.lease], [30])).toEqual({
      lost: [],
      busy: [],
      cancelRequested: [claimed.job.id],
    });
    expect(await q.queue.retry(tenantId, claimed.job.id)).toEqual({ kind: 'stillRunning' });
  });

  test('lets a success win that comes after the request', async () => {
    const claimed = await running();
    await cancel(claimed.job.id);
    expect(await q.queue.finish(claimed, succeeded(), measured())).toBe('settled');
    expect(await q.job(claimed.job.id)).toMatchObject({
      status: 'succeeded',
      reason: expect.stringContaining('before it could be canceled'),
    });
  });

  test.each([
    ['retry', { kind: 'retry', delaySeconds: 1, error: jobError() }],
    ['snooze', { kind: 'snooze', delaySeconds: 1, reason: 'x' }],
    ['hand-back', { kind: 'handBack' }],
  ] as const)('keeps a %s from bringing back a job whose cancel was requested', async (_, finish) => {
    const claimed = await running();
    await cancel(claimed.job.id);
    expect(await q.queue.finish(claimed, finish, measured())).toBe('cancelRequested');
    const settled = await q.queue.finish(
      claimed,
      { kind: 'final', settlement: { status: 'canceled', reason: 'asked' } },
      measured(),
    );
    expect(settled).toBe('settled');
    expect(await q.job(claimed.job.id)).toMatchObject({
      status: 'canceled',
      reason: 'asked',
      attempt_count: 0,
    });
  });

  test("answers not found for another tenant's job and leaves it alone", async () => {
    const id = await queued();
    expect(await cancel(id, await q.makeTenant())).toEqual({ kind: 'notFound' });
    expect(await q.job(id)).toMatchObject({ status: 'queued' });
  });
});

describe('retry', () => {
  test('gives a failed job a fresh budget and leaves its run number', async () => {
    const claimed = await running();
    await q.queue.finish(claimed, failed, measured());
    expect(await q.job(claimed.job.id)).toMatchObject({ status: 'failed', attempt_count: 1 });
    expect(await q.queue.retry(tenantId, claimed.job.id)).toEqual({ kind: 'queued' });
    expect(await q.job(claimed.job.id)).toMatchObject({
      status: 'queued',
      attempt_count: 0,
      run_no: 1,
      finished_at: null,
    });
    const again = (await q.claim(100)).find((item) => item.job.id === claimed.job.id);
    expect(again?.lease.runNo).toBe(2);
  });

  test('makes a job ready now that was waiting for its next try when it was canceled', async () => {
    const claimed = await running();
    await q.queue.finish(claimed, { kind: 'retry', delaySeconds: 900, error: jobError() }, measured());
    await cancel(claimed.job.id);
    await q.queue.retry(tenantId, claimed.job.id);
    expect((await q.claim(100)).map((item) => item.job.id)).toContain(claimed.job.id);
  });

  test('refuses a succeeded and a queued job', async () => {
    const claimed = await running();
    await q.queue.finish(claimed, succeeded(), measured());
    expect(await q.queue.retry(tenantId, claimed.job.id)).toEqual({
      kind: 'wrongState',
      status: 'succeeded',
    });
    expect(await q.queue.retry(tenantId, await queued())).toEqual({ kind: 'wrongState', status: 'queued' });
  });

  test('names the active job that has its dedupe key by now', async () => {
    const claimed = await running('stage:1');
    await q.queue.finish(claimed, failed, measured());
    const rival = await queued('stage:1');
    expect(await q.queue.retry(tenantId, claimed.job.id)).toEqual({ kind: 'activeDuplicate', jobId: rival });
    await cancel(rival);
    expect(await q.queue.retry(tenantId, claimed.job.id)).toEqual({ kind: 'queued' });
  });
});

describe('rescue', () => {
  test('puts back only jobs whose lease has ended, with the lost run on record', async () => {
    // Of a worker of its own: a run that had company spends no attempt.
    const [lost, alive] = [await running(null, 'worker-b'), await running()];
    await q.superuser.query(
      `update millrace.jobs set lease_expires_at = now() - interval '1 second' where id = $1`,
      [lost.job.id],
    );
    expect(await q.queue.rescue(10)).toEqual([lost.job.id]);
    expect(await q.job(alive.job.id)).toMatchObject({ status: 'running' });
    const row = await q.job(lost.job.id);
    expect(row).toMatchObject({
      status: 'queued',
      attempt_count: 1,
      lost_lease_count: 1,
      last_error: { type: 'LostLease' },
    });
    const { rows } = await q.superuser.query('select status from millrace.job_attempts where job_id = $1', [
      lost.job.id,
    ]);
    expect(rows).toEqual([{ status: 'lost' }]);
  });

  test.each([
    [19, 0],
    [20, 2],
    [100, 10],
    [150, 10],
  ])(
    'makes %i lost jobs due within %i s, as the README and the page about maintenance say',
    async (count, seconds) => {
      await q.queue.enqueue(
        tenantId,
        Array.from({ length: count }, () => ({ definitionKey: 'alpha', payload: {} })),
      );
      expect(await q.claim(count)).toHaveLength(count);
      await q.superuser.query(`update millrace.jobs set lease_expires_at = now() - interval '1 second'`);
      expect(await q.queue.rescue(1_000)).toHaveLength(count);
      const { rows } = await q.superuser.query(
        `select (extract(epoch from max(scheduled_for) - min(scheduled_for)))::float8 as spread,
              (extract(epoch from max(scheduled_for) - clock_timestamp()))::float8 as last from millrace.jobs`,
      );
      // N random times: that all of 20 and more lie within a third has a chance of 1 in 10^8.
      expect(rows[0].spread).toBeGreaterThanOrEqual(seconds / 3);
      expect(rows[0].last).toBeLessThanOrEqual(seconds);
    },
  );

  test('renews a lease that has ended as long as nobody has claimed the job', async () => {
    const late = await running();
    await q.superuser.query(
      `update millrace.jobs set lease_expires_at = now() - interval '1 second' where id = $1`,
      [late.job.id],
    );
    expect(await q.queue.heartbeat([late.lease], [30])).toEqual({ lost: [], busy: [], cancelRequested: [] });
    expect(await q.queue.rescue(10)).toEqual([]);
  });

  test('does not notify watchers of a renewed lease', async () => {
    const claimed = await running();
    const before = await q.job(claimed.job.id);
    await q.queue.heartbeat([claimed.lease], [600]);
    const after = await q.job(claimed.job.id);
    expect(after['version']).toBe(before['version']);
    expect(after['changed_xid']).toBe(before['changed_xid']);
    expect(after['lease_expires_at']).not.toEqual(before['lease_expires_at']);
  });
});

describe('the database by itself', () => {
  const sets: Record<JobStatus, string> = {
    queued: `status = 'queued', finished_at = null, lease_token = null, lease_expires_at = null`,
    running: `status = 'running', run_no = run_no + 1, finished_at = null, lease_token = gen_random_uuid(), lease_expires_at = now()`,
    succeeded: `status = 'succeeded', finished_at = coalesce(finished_at, now()), lease_token = null, lease_expires_at = null`,
    failed: `status = 'failed', finished_at = coalesce(finished_at, now()), lease_token = null, lease_expires_at = null`,
    canceled: `status = 'canceled', finished_at = coalesce(finished_at, now()), lease_token = null, lease_expires_at = null`,
    dead_letter: `status = 'dead_letter', finished_at = coalesce(finished_at, now()), lease_token = null, lease_expires_at = null`,
  };
  /** Moves that lead from a new job to each status. */
  const allowed: Record<JobStatus, readonly JobStatus[]> = {
    queued: [],
    running: ['running'],
    succeeded: ['running', 'succeeded'],
    failed: ['running', 'failed'],
    canceled: ['canceled'],
    dead_letter: ['running', 'dead_letter'],
  };
  const pairs = JOB_STATUSES.flatMap((from) =>
    JOB_STATUSES.filter((to) => to !== from).map((to) => [from, to] as const),
  );

  test.each(pairs)(
    'agrees with the table of legal moves on %s -> %s, even for a superuser',
    async (from, to) => {
      const id = await queued();
      const move = (status: JobStatus) =>
        q.superuser.query(`update millrace.jobs set ${sets[status]} where id = $1`, [id]);
      for (const step of allowed[from]) await move(step);
      const attempt = move(to);
      if (isLegalMove(from, to)) await attempt;
      else await expect(attempt).rejects.toMatchObject({ constraint: 'jobs_legal_move' });
      expect((await q.job(id))['status']).toBe(isLegalMove(from, to) ? to : from);
    },
  );

  test('refuses to change what a succeeded job came to, to move a job to another tenant, and to lower a run number', async () => {
    const claimed = await running();
    await q.queue.finish(claimed, succeeded(1), measured());
    const other = await q.makeTenant();
    for (const set of [
      `result = '2'`,
      `finished_at = now()`,
      `attempt_count = 5`,
      `run_no = 0`,
      `tenant_id = '${other}'`,
    ]) {
      await expect(
        q.superuser.query(`update millrace.jobs set ${set} where id = $1`, [claimed.job.id]),
      ).rejects.toMatchObject({
        constraint: 'jobs_legal_move',
      });
    }
  });

  test('stamps every foreign write, so that the feed sees it', async () => {
    const id = await queued();
    const before = await q.job(id);
    await q.superuser.query(
      `update millrace.jobs set priority = 7, version = 1, changed_xid = '1' where id = $1`,
      [id],
    );
    const after = await q.job(id);
    expect(after['version']).toBe(String(BigInt(before['version'] as string) + 1n));
    expect(BigInt(after['changed_xid'] as string)).toBeGreaterThan(BigInt(before['changed_xid'] as string));
  });
});
