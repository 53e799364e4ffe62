import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ClaimedJob, ClaimResult, LaneCursor } from '../../src/core/queue.ts';
import { measured, openTestQueue, succeeded, type TestQueue } from '../support/queue.ts';

let q: TestQueue;
let other: pg.Client;
let tenantId: string;
beforeAll(async () => {
  q = await openTestQueue();
  other = new pg.Client({ connectionString: q.url });
  await other.connect();
});
beforeEach(async () => {
  await other.query('rollback');
  await q.superuser.query(
    `truncate millrace.jobs, millrace.lane_limits, millrace.limit_gates cascade;
     update millrace.job_definitions set max_running = null, max_running_per_tenant = null,
       rate_limit_count = null, rate_limit_period_seconds = null,
       rate_limit_per_tenant_count = null, rate_limit_per_tenant_period_seconds = null`,
  );
  tenantId = await q.makeTenant();
});
afterAll(async () => {
  await other.end();
  await q.close();
});

const fill = (tenant: string, count: number, key = 'alpha') =>
  q.superuser.query(
    'insert into millrace.jobs (tenant_id, definition_id) select $1, $2 from generate_series(1, $3)',
    [tenant, q.definitionId(key), count],
  );
const finishAll = (jobs: readonly ClaimedJob[]) =>
  Promise.all(jobs.map((job) => q.queue.finish(job, succeeded(), measured())));
const limitLane = (key: string, columns: string, values: string) =>
  q.superuser.query(
    `insert into millrace.lane_limits (tenant_id, definition_id, ${columns}) values ($1, $2, ${values})`,
    [tenantId, q.definitionId(key)],
  );

test('what a limit lets through goes to the tenants in turn, however large the claims are', async () => {
  const tenants = [tenantId, await q.makeTenant(), await q.makeTenant()];
  for (const tenant of tenants) await fill(tenant, 40);
  await q.superuser.query(`update millrace.job_definitions set max_running = 2 where key = 'alpha'`);
  const counts = new Map(tenants.map((tenant) => [tenant, 0]));
  let after: LaneCursor | null = null;
  for (let i = 0; i < 15; i++) {
    const ask = { workerId: 'w', definitionIds: [q.definitionId('alpha')], limit: 50 };
    const result: ClaimResult = await q.queue.claim({ ...ask, after });
    after = result.cursor;
    expect(result.jobs).toHaveLength(2);
    for (const { job } of result.jobs) counts.set(job.tenantId, (counts.get(job.tenantId) ?? 0) + 1);
    await finishAll(result.jobs);
  }
  expect([...counts.values()]).toEqual([10, 10, 10]);
});

test('what a tenant’s limit lets through goes to its definitions in turn', async () => {
  await fill(tenantId, 40);
  await fill(tenantId, 40, 'beta');
  await q.superuser.query('update millrace.tenants set max_running = 3 where id = $1', [tenantId]);
  const keys: string[] = [];
  let after: LaneCursor | null = null;
  for (let i = 0; i < 8; i++) {
    const ask = { workerId: 'w', definitionIds: [...q.definitions.keys()], limit: 10 };
    const result: ClaimResult = await q.queue.claim({ ...ask, after });
    after = result.cursor;
    keys.push(...result.jobs.map((item) => item.definitionKey));
    await finishAll(result.jobs);
  }
  expect(keys).toHaveLength(24);
  expect(keys.filter((key) => key === 'beta')).toHaveLength(12);
});

describe('max_running', () => {
  test('of a definition counts its jobs in all tenants, and what has finished makes room', async () => {
    const second = await q.makeTenant();
    await fill(tenantId, 10);
    await fill(second, 10);
    await q.superuser.query(`update millrace.job_definitions set max_running = 4 where key = 'alpha'`);
    const first = await q.claim(10);
    expect(first).toHaveLength(4);
    expect(new Set(first.map((item) => item.job.tenantId)).size).toBe(2);
    expect(await q.claim(10)).toEqual([]);
    await finishAll(first.slice(0, 2));
    expect(await q.claim(10)).toHaveLength(2);
  });

  test('of a tenant counts its jobs of all definitions, those too that this worker does not know', async () => {
    await fill(tenantId, 5);
    await fill(tenantId, 5, 'beta');
    await q.superuser.query('update millrace.tenants set max_running = 3 where id = $1', [tenantId]);
    const only = async (key: string) =>
      (await q.queue.claim({ workerId: 'w', definitionIds: [q.definitionId(key)], limit: 2, after: null }))
        .jobs;
    expect(await only('beta')).toHaveLength(2);
    expect(await only('alpha')).toHaveLength(1);
    expect(await only('alpha')).toEqual([]);
  });

  test('of a lane comes before what its definition says for each tenant', async () => {
    const second = await q.makeTenant();
    await fill(tenantId, 5);
    await fill(second, 5);
    await q.superuser.query('update millrace.job_definitions set max_running_per_tenant = 1');
    await limitLane('alpha', 'max_running', '3');
    const claimed = (await q.claim(10)).map((item) => item.job.tenantId);
    expect(claimed.filter((id) => id === tenantId)).toHaveLength(3);
    expect(claimed.filter((id) => id === second)).toHaveLength(1);
  });

  test('of a lane with only a rate of its own leaves the definition’s in force', async () => {
    await fill(tenantId, 5);
    await q.superuser.query('update millrace.job_definitions set max_running_per_tenant = 2');
    await limitLane('alpha', 'rate_limit_count, rate_limit_period_seconds', '100, 60');
    expect(await q.claim(10)).toHaveLength(2);
  });

  test('holds all three at once, the narrowest first', async () => {
    await fill(tenantId, 10);
    await fill(tenantId, 10, 'beta');
    await q.superuser.query(`update millrace.job_definitions set max_running = 5`);
    await q.superuser.query('update millrace.tenants set max_running = 6 where id = $1', [tenantId]);
    await limitLane('alpha', 'max_running', '2');
    const keys = (await q.claim(20)).map((item) => item.definitionKey);
    expect(keys.filter((key) => key === 'alpha')).toHaveLength(2);
    expect(keys.filter((key) => key === 'beta')).toHaveLength(4);
  });

  test('counts a run whose lease has ended until somebody takes the job back', async () => {
    await fill(tenantId, 3);
    await q.superuser.query(`update millrace.job_definitions set max_running = 1 where key = 'alpha'`);
    await q.claim(1);
    await q.superuser.query(
      `update millrace.jobs set lease_expires_at = now() - interval '1 hour' where status = 'running'`,
    );
    expect(await q.claim(1)).toEqual([]);
    expect(await q.queue.rescue(10)).toHaveLength(1);
    expect(await q.claim(1)).toHaveLength(1);
  });

  test('that is reached does not end the walk: the lane behind it is claimed', async () => {
    const behind = await q.makeTenant();
    await fill(tenantId, 50);
    await fill(behind, 1);
    await q.superuser.query('update millrace.tenants set max_running = 1 where id = $1', [tenantId]);
    expect(await q.claim(2)).toHaveLength(2);
    await fill(behind, 1);
    expect((await q.claim(1)).map((item) => item.job.tenantId)).toEqual([behind]);
  });

  test('that another claim holds this moment is passed over, and looked at again', async () => {
    const free = await q.makeTenant();
    await fill(tenantId, 5);
    await q.superuser.query('update millrace.tenants set max_running = 3 where id = $1', [tenantId]);
    await finishAll(await q.claim(1));
    await other.query('begin');
    await other.query('select from millrace.limit_gates for no key update');
    await fill(free, 1);
    expect((await q.claim(5)).map((item) => item.job.tenantId)).toEqual([free]);
    const ask = q.db.asWorker.bind(q.db);
    let looks = 0;
    const asked = vi.spyOn(q.db, 'asWorker').mockImplementation((async (...given: Parameters<typeof ask>) => {
      // The first look finds it held, the second one free, however slow the machine is.
      if (++looks === 2) await other.query('rollback');
      return ask(...given);
    }) as typeof ask);
    try {
      expect(await q.claim(5)).toHaveLength(3);
      expect(looks).toBe(2);
    } finally {
      asked.mockRestore();
    }
  });

  test('takes no lock and makes no row where nothing is limited', async () => {
    await fill(tenantId, 5);
    await q.claim(5);
    const { rows } = await q.superuser.query('select count(*)::int as n from millrace.limit_gates');
    expect(rows[0].n).toBe(0);
  });

  test('cannot be counted in a transaction with one snapshot: the claim refuses it', async () => {
    await other.query('begin isolation level repeatable read');
    const claim = other.query(
      `select * from millrace.claim_jobs('w', array[$1::uuid], 1, 0, '{}', null, null, 0, 32, null, null, null, null, null, null, true)`,
      [q.definitionId('alpha')],
    );
    await expect(claim).rejects.toThrow('repeatable read transaction, allowed: read committed');
    await other.query('rollback');
  });
});

test('a definition that is inactive takes no new jobs, and finishes those that it has', async () => {
  await fill(tenantId, 1);
  await q.superuser.query(`update millrace.job_definitions set is_active = false where key = 'alpha'`);
  expect(await q.claim(1)).toHaveLength(1);
  await q.superuser.query('update millrace.job_definitions set is_active = true');
});

describe('a rate', () => {
  const rate = (table: string, count: number, periodSeconds: number, columns = 'rate_limit') =>
    q.superuser.query(`update millrace.${table} set ${columns}_count = $1, ${columns}_period_seconds = $2`, [
      count,
      periodSeconds,
    ]);

  test.each(['job_definitions', 'tenants'])(
    'on %s ends the claims of a period after N starts',
    async (table) => {
      await fill(tenantId, 10);
      await rate(table, 3, 3600);
      try {
        const claimed = await q.claim(10);
        expect(claimed).toHaveLength(3);
        await finishAll(claimed);
        expect(await q.claim(10)).toEqual([]);
      } finally {
        await q.superuser.query(
          'update millrace.tenants set rate_limit_count = null, rate_limit_period_seconds = null',
        );
      }
    },
  );

  test('for each tenant of a definition is its own, unless the lane has one', async () => {
    const second = await q.makeTenant();
    await fill(tenantId, 9);
    await fill(second, 9);
    await rate('job_definitions', 2, 60, 'rate_limit_per_tenant');
    await limitLane('alpha', 'rate_limit_count, rate_limit_period_seconds', '5, 60');
    const claimed = (await q.claim(20)).map((item) => item.job.tenantId);
    expect(claimed.filter((id) => id === tenantId)).toHaveLength(5);
    expect(claimed.filter((id) => id === second)).toHaveLength(2);
  });

  test('counts a run that put itself off: it has started nevertheless', async () => {
    await fill(tenantId, 1);
    await rate('job_definitions', 2, 3600);
    for (let i = 0; i < 2; i++) {
      const [job] = await q.claim(1);
      await q.queue.finish(
        job as ClaimedJob,
        { kind: 'snooze', delaySeconds: 0, reason: 'later' },
        measured(),
      );
    }
    expect(await q.claim(1)).toEqual([]);
  });

  test('is never exceeded in any window of its period, and is used up to nine tenths', async () => {
    await fill(tenantId, 200);
    await rate('job_definitions', 10, 1);
    let isDone = false;
    const claimers = Array.from({ length: 4 }, async () => {
      while (!isDone) await q.claim(3);
    });
    const deadlineMs = Date.now() + 120_000;
    while (!isDone) {
      const { rows } = await q.superuser.query(
        `select count(*)::int as n from millrace.jobs where status = 'running'`,
      );
      isDone = rows[0].n >= 32 || Date.now() > deadlineMs;
    }
    await Promise.all(claimers);
    const { rows } = await q.superuser.query(
      `select extract(epoch from claimed_at)::float8 as at from millrace.jobs where status = 'running' order by 1`,
    );
    const starts = rows.map((row) => row.at as number);
    expect(starts.length).toBeGreaterThanOrEqual(32);
    const tightest = starts.slice(10).map((at, index) => at - (starts[index] as number));
    expect(Math.min(...tightest)).toBeGreaterThanOrEqual(1);
  });

  test('that was changed begins a new window, and one whose clock went back forgets nothing', async () => {
    await fill(tenantId, 20);
    await rate('job_definitions', 2, 3600);
    expect(await q.claim(9)).toHaveLength(2);
    await q.superuser.query('update millrace.limit_gates set newest_slot = newest_slot + 5');
    await rate('job_definitions', 3, 3600);
    expect((await q.claim(9)).length).toBeLessThanOrEqual(1);
    await rate('job_definitions', 4, 7200);
    expect(await q.claim(9)).toHaveLength(4);
  });
});
