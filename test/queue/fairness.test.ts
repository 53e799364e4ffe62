import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ClaimResult, LaneCursor } from '../../src/core/queue.ts';
import { createPostgresQueue } from '../../src/queue/postgres-queue.ts';
import { testPipelines } from '../support/pipelines.ts';
import { openTestQueue, type TestQueue } from '../support/queue.ts';

let q: TestQueue;
beforeAll(async () => {
  q = await openTestQueue();
});
beforeEach(async () => {
  await q.superuser.query('truncate millrace.jobs cascade');
});
afterAll(() => q.close());

async function fill(tenantId: string, count: number, definitionKey = 'alpha'): Promise<void> {
  await q.superuser.query(
    'insert into millrace.jobs (tenant_id, definition_id) select $1, $2 from generate_series(1, $3)',
    [tenantId, q.definitionId(definitionKey), count],
  );
}

async function weighted(weight: number): Promise<string> {
  const tenantId = await q.makeTenant();
  await q.superuser.query('update millrace.tenants set weight = $2 where id = $1', [tenantId, weight]);
  return tenantId;
}

/**
 * Claims `total` jobs, `limit` at a time, with the cursor of each claim given to the next; the tenants in
 * order.
 */
async function claimInTurns(total: number, limit: number): Promise<readonly string[]> {
  const order: string[] = [];
  let after: LaneCursor | null = null;
  while (order.length < total) {
    const result: ClaimResult = await q.queue.claim({
      workerId: 'w',
      definitionIds: [...q.definitions.keys()],
      limit,
      after,
    });
    expect(result.jobs.length).toBeGreaterThan(0);
    after = result.cursor;
    order.push(...result.jobs.map((item) => item.job.tenantId));
  }
  return order;
}

describe('tenants of weight 1, 2 and 5', () => {
  test.each([1, 2, 7, 50])(
    'get an eighth, two eighths and five eighths when %i are claimed at a time',
    async (limit) => {
      const tenants = [await weighted(1), await weighted(2), await weighted(5)];
      for (const tenantId of tenants) await fill(tenantId, 400);
      const order = await claimInTurns(limit < 7 ? 160 : 400, limit);
      const shares = tenants.map((tenantId) => order.filter((id) => id === tenantId).length / order.length);
      for (const [index, share] of [0.125, 0.25, 0.625].entries()) {
        expect(Math.abs((shares[index] as number) - share)).toBeLessThan(0.03);
      }
    },
  );
});

test('a tenant that was alone for a while keeps the rest of its turn when another one comes', async () => {
  const [heavy, light] = [await weighted(10), await weighted(1)];
  const definitionIds = [...q.definitions.keys()];
  // One that remembers nothing of other tests' lanes, or it would not take the short way, which is for a lone
  // lane.
  const queue = createPostgresQueue(q.db, q.notifier, q.definitions, { pipelines: testPipelines });
  let after: LaneCursor | null = null;
  const claimOne = async (): Promise<string | undefined> => {
    const result: ClaimResult = await queue.claim({ workerId: 'w', definitionIds, limit: 1, after });
    after = result.cursor;
    return result.jobs[0]?.job.tenantId;
  };
  await fill(heavy, 50);
  for (let n = 0; n < 3; n++) expect(await claimOne()).toBe(heavy);
  await fill(light, 5);
  const order: (string | undefined)[] = [];
  for (let n = 0; n < 12; n++) order.push(await claimOne());
  expect(order.indexOf(light)).toBe(7);
  expect(order.lastIndexOf(light)).toBe(7);
});

test('forty tenants get equal shares from claims that reach only some of them', async () => {
  const tenants = await Promise.all(Array.from({ length: 40 }, () => q.makeTenant()));
  for (const tenantId of tenants) await fill(tenantId, 60);
  const order = await claimInTurns(1200, 50);
  const counts = tenants.map((tenantId) => order.filter((id) => id === tenantId).length);
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(4);
});

test('a tenant with 5,000 waiting jobs does not delay another one', async () => {
  const [big, small] = [await q.makeTenant(), await q.makeTenant()];
  await fill(big, 5_000);
  await fill(small, 5);
  const order = await claimInTurns(20, 1);
  // Every second job is the small one's until it has none left.
  expect(order.slice(0, 10).filter((id) => id === small)).toHaveLength(5);
});

test('what some leave over goes to the others by weight, in the same claim', async () => {
  const [empty, light, heavy] = [await weighted(5), await weighted(1), await weighted(3)];
  await fill(empty, 2);
  await fill(light, 200);
  await fill(heavy, 200);
  const order = await claimInTurns(100, 100);
  expect(order.filter((id) => id === empty)).toHaveLength(2);
  const lights = order.filter((id) => id === light).length;
  expect(lights).toBeGreaterThan(20);
  expect(lights).toBeLessThan(29);
});

test('the cursor goes past a lane that gave nothing, and past one that was deleted', async () => {
  const [gone, other] = [await q.makeTenant(), await q.makeTenant()];
  await fill(other, 3);
  const after = { tenantId: gone, definitionId: q.definitionId('beta'), credit: 7 };
  const ask = { workerId: 'w', definitionIds: [...q.definitions.keys()], limit: 1 };
  const first = await q.queue.claim({ ...ask, after });
  expect(first.jobs).toHaveLength(1);
  expect(first.cursor?.tenantId).toBe(other);
  await q.queue.claim({ ...ask, limit: 5, after: first.cursor });
  expect((await q.queue.claim({ ...ask, after: first.cursor })).jobs).toEqual([]);
});

describe('claiming ahead of free slots', () => {
  const ahead = (count: number, keys: readonly string[]) => ({
    count,
    definitionIds: keys.map((key) => q.definitionId(key)),
  });
  const claim = (limit: number, count: number, keys = ['alpha']) =>
    q.queue.claim({
      workerId: 'w',
      definitionIds: [...q.definitions.keys()],
      limit,
      ahead: ahead(count, keys),
      after: null,
    });
  const keysOf = (result: ClaimResult) => result.jobs.map((item) => item.definitionKey);

  test('takes more of the definitions that it may, and of others as many as there are slots', async () => {
    const tenantId = await q.makeTenant();
    await fill(tenantId, 300);
    await fill(tenantId, 300, 'beta');
    const keys = keysOf(await claim(10, 90));
    expect(keys).toHaveLength(100);
    expect(keys.filter((key) => key === 'beta')).toHaveLength(10);
    const withoutSlots = keysOf(await claim(0, 20));
    expect(withoutSlots).toEqual(Array.from({ length: 20 }, () => 'alpha'));
    expect((await claim(400, 400)).jobs.length).toBeLessThanOrEqual(500);
  });

  test('leaves the start of those open, and sets it for the others', async () => {
    const tenantId = await q.makeTenant();
    await fill(tenantId, 3);
    await fill(tenantId, 3, 'beta');
    const { jobs } = await claim(10, 10);
    expect(jobs).toHaveLength(6);
    for (const { job, definitionKey } of jobs) {
      expect(job.startedAt).toEqual(definitionKey === 'alpha' ? null : job.claimedAt);
      const row = await q.job(job.id);
      const { started_at: startedAt, claimed_at: claimedAt } = row;
      expect(startedAt).toEqual(definitionKey === 'alpha' ? null : claimedAt);
    }
  });

  test.each([
    ['its definition', 'update millrace.job_definitions set max_running = 100'],
    [
      'a rate of its definition',
      'update millrace.job_definitions set rate_limit_count = 100, rate_limit_period_seconds = 60',
    ],
    ['its tenant', 'update millrace.tenants set max_running = 100'],
    ['each tenant of its definition', 'update millrace.job_definitions set max_running_per_tenant = 100'],
    [
      'its lane',
      `insert into millrace.lane_limits (tenant_id, definition_id, rate_limit_count, rate_limit_period_seconds)
       select t.id, d.id, 100, 60 from millrace.tenants t, millrace.job_definitions d`,
    ],
  ])('takes no more than slots from a lane under a limit of %s', async (_whose, sql) => {
    const tenantId = await q.makeTenant();
    await fill(tenantId, 50);
    await q.superuser.query(sql);
    try {
      expect((await claim(4, 40)).jobs).toHaveLength(4);
      expect((await claim(0, 40)).jobs).toHaveLength(0);
    } finally {
      await q.superuser.query(
        `truncate millrace.lane_limits; update millrace.tenants set max_running = null;
         update millrace.job_definitions set max_running = null, max_running_per_tenant = null,
           rate_limit_count = null, rate_limit_period_seconds = null`,
      );
    }
  });
});
