import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ClaimResult, LaneCursor } from '../../src/core/queue.ts';
import { openTestQueue, type TestQueue } from '../support/queue.ts';

let q: TestQueue;
beforeAll(async () => {
  q = await openTestQueue();
});
beforeEach(async () => {
  await q.superuser.query('truncate millrace.jobs cascade');
});
afterAll(() => q.close());

async function claimAfter(
  after: LaneCursor | null,
  limit: number,
  keys = ['alpha', 'beta'],
): Promise<ClaimResult> {
  return q.queue.claim({
    workerId: 'w',
    definitionIds: keys.map((key) => q.definitionId(key)),
    limit,
    after,
  });
}

describe('claim', () => {
  test('hands out what is due by priority, then time, and leaves the future alone', async () => {
    const tenantId = await q.makeTenant();
    const base = { definitionKey: 'alpha' };
    await q.queue.enqueue(tenantId, [
      { ...base, payload: 'later', priority: 100 },
      { ...base, payload: 'urgent', priority: 1 },
      { ...base, payload: 'tomorrow', priority: 0, scheduledFor: new Date(Date.now() + 86_400_000) },
    ]);
    expect((await q.claim()).map((item) => item.job.payload)).toEqual(['urgent', 'later']);
    expect(await q.claim()).toEqual([]);
  });

  test('gives each claim a new run number, a token and a lease by the database clock', async () => {
    const tenantId = await q.makeTenant();
    await q.queue.enqueue(tenantId, [{ definitionKey: 'alpha', payload: null }]);
    const [claimed] = await q.claim();
    expect(claimed?.lease.runNo).toBe(1);
    const { rows } = await q.superuser.query(
      `select status, claimed_by_worker, lease_token, extract(epoch from lease_expires_at - claimed_at)::float8 as seconds,
              claimed_at between now() - interval '1 minute' and clock_timestamp() as now_by_database from millrace.jobs`,
    );
    expect(rows[0]).toMatchObject({
      status: 'running',
      claimed_by_worker: 'worker-a',
      lease_token: claimed?.lease.token,
      now_by_database: true,
    });
    // The clock goes on between the two within the statement.
    expect(rows[0].seconds).toBeGreaterThan(29.9);
    expect(rows[0].seconds).toBeLessThan(90);
  });

  test('gives each job the lease of its own definition, however many a claim takes from', async () => {
    const tenants = await Promise.all([q.makeTenant(), q.makeTenant()]);
    await q.superuser.query(`update millrace.job_definitions set lease_seconds = 300 where key = 'beta'`);
    try {
      for (const tenantId of tenants)
        for (const definitionKey of ['alpha', 'beta', 'alpha'])
          await q.queue.enqueue(tenantId, [{ definitionKey, payload: null }]);
      expect((await q.claim(10)).length).toBe(6);
      const { rows } = await q.superuser.query(
        `select d.key, round(extract(epoch from j.lease_expires_at - j.claimed_at) / 30)::int as thirties, count(*)::int
         from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id group by 1, 2 order by 1`,
      );
      expect(rows).toEqual([
        { key: 'alpha', thirties: 1, count: 4 },
        { key: 'beta', thirties: 10, count: 2 },
      ]);
    } finally {
      await q.superuser.query(`update millrace.job_definitions set lease_seconds = 30 where key = 'beta'`);
    }
  });

  test('is refused to a worker of the previous version, which would take its answer for another', async () => {
    const before = `select * from millrace.claim_jobs('w', array[$1::uuid], 1, 0, '{}', null, null, 0, 32, null, null, null, null, null, null)`;
    await expect(q.superuser.query(before, [q.definitionId('alpha')])).rejects.toMatchObject({
      code: '42883',
    });
  });

  test('takes only definitions that it is asked for, however many lanes of others lie between', async () => {
    const tenants = await Promise.all(Array.from({ length: 5 }, () => q.makeTenant()));
    for (const tenantId of tenants) await q.queue.enqueue(tenantId, [{ definitionKey: 'alpha', payload: 0 }]);
    await q.queue.enqueue(tenants[3] as string, [{ definitionKey: 'beta', payload: 'mine' }]);
    expect((await claimAfter(null, 10, ['beta'])).jobs.map((item) => item.job.payload)).toEqual(['mine']);
  });

  test('shares a claim between tenants although one of them has a thousand jobs waiting', async () => {
    const [big, small] = [await q.makeTenant(), await q.makeTenant()];
    await q.queue.enqueue(
      big,
      Array.from({ length: 1000 }, () => ({ definitionKey: 'alpha', payload: 'big' })),
    );
    await q.queue.enqueue(
      small,
      Array.from({ length: 3 }, () => ({ definitionKey: 'alpha', payload: 'small' })),
    );
    const claimed = (await claimAfter(null, 10)).jobs.map((item) => item.job.payload);
    // Three of the small tenant, and the share it left over goes to the big one.
    expect(claimed.filter((payload) => payload === 'small')).toHaveLength(3);
    expect(claimed).toHaveLength(10);
  });

  test('gives a tenant of weight 4 four times the share', async () => {
    const [heavy, light] = [await q.makeTenant(), await q.makeTenant()];
    await q.superuser.query('update millrace.tenants set weight = 4 where id = $1', [heavy]);
    for (const tenantId of [heavy, light]) {
      await q.queue.enqueue(
        tenantId,
        Array.from({ length: 100 }, () => ({ definitionKey: 'alpha', payload: tenantId })),
      );
    }
    const { jobs } = await claimAfter(null, 50);
    expect(jobs.filter((item) => item.job.tenantId === heavy)).toHaveLength(40);
    expect(jobs.filter((item) => item.job.tenantId === light)).toHaveLength(10);
  });

  test('goes round the lanes by its cursor, one job at a time', async () => {
    const tenants = [await q.makeTenant(), await q.makeTenant(), await q.makeTenant()];
    for (const tenantId of tenants) {
      await q.queue.enqueue(
        tenantId,
        [1, 2].map((payload) => ({ definitionKey: 'alpha', payload })),
      );
    }
    let after: LaneCursor | null = null;
    const order: string[] = [];
    for (let i = 0; i < 6; i++) {
      const result: ClaimResult = await claimAfter(after, 1);
      after = result.cursor;
      order.push(result.jobs[0]?.job.tenantId ?? 'none');
    }
    expect(order.slice(0, 3).sort()).toEqual([...tenants].sort());
    expect(order.slice(3).sort()).toEqual([...tenants].sort());
  });

  test('finds the one ready job behind 200 tenants with only future jobs, from any cursor', async () => {
    await q.superuser.query(
      `insert into millrace.tenants (slug, name) select 'many-' || g, 'x' from generate_series(1, 200) g`,
    );
    await q.superuser.query(
      `insert into millrace.jobs (tenant_id, definition_id, scheduled_for)
       select id, $1, now() + interval '1 day' from millrace.tenants where slug like 'many-%'`,
      [q.definitionId('alpha')],
    );
    const { rows } = await q.superuser.query(
      `select id from millrace.tenants where slug in ('many-1', 'many-120', 'many-200')`,
    );
    for (const row of rows) {
      await q.superuser.query('truncate millrace.stored_attempts');
      await q.queue.enqueue(row.id, [{ definitionKey: 'alpha', payload: row.id }]);
      const { rows: lanes } = await q.superuser.query(
        `select tenant_id from millrace.jobs order by random() limit 1`,
      );
      const after = { tenantId: lanes[0].tenant_id, definitionId: q.definitionId('alpha') };
      expect((await claimAfter(after, 1)).jobs.map((item) => item.job.payload)).toEqual([row.id]);
    }
  });

  test('leaves paused definitions and tenants alone until they are resumed', async () => {
    const [paused, other] = [await q.makeTenant(), await q.makeTenant()];
    await q.queue.enqueue(paused, [{ definitionKey: 'alpha', payload: 'paused tenant' }]);
    await q.queue.enqueue(other, [{ definitionKey: 'beta', payload: 'paused definition' }]);
    await q.superuser.query('update millrace.tenants set paused_at = now() where id = $1', [paused]);
    await q.superuser.query(`update millrace.job_definitions set paused_at = now() where key = 'beta'`);
    expect(await q.claim()).toEqual([]);
    await q.superuser.query('update millrace.tenants set paused_at = null');
    await q.superuser.query('update millrace.job_definitions set paused_at = null');
    expect(await q.claim()).toHaveLength(2);
  });

  test('gives each of 1,400 jobs to exactly one of 20 concurrent claimers', async () => {
    const tenants = await Promise.all(Array.from({ length: 7 }, () => q.makeTenant()));
    for (const tenantId of tenants) {
      await q.queue.enqueue(
        tenantId,
        Array.from({ length: 200 }, (_, i) => ({ definitionKey: i % 2 ? 'alpha' : 'beta', payload: i })),
      );
    }
    const claimers = Array.from({ length: 20 }, async (_, n) => {
      const mine: string[] = [];
      let after: LaneCursor | null = null;
      let empty = 0;
      // Two empty looks in a row: another claimer may hold the last rows locked for a moment.
      while (empty < 2) {
        const result: ClaimResult = await q.queue.claim({
          workerId: `w${n}`,
          definitionIds: [...q.definitions.keys()],
          limit: 1 + (n % 30),
          after,
        });
        after = result.cursor;
        empty = result.jobs.length === 0 ? empty + 1 : 0;
        mine.push(...result.jobs.map((item) => item.job.id));
      }
      return mine;
    });
    const all = (await Promise.all(claimers)).flat();
    expect(all).toHaveLength(1400);
    expect(new Set(all).size).toBe(1400);
  });
});
