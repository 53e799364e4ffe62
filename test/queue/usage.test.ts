import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { handBackUnknownClaims } from '../../src/db/sql/worker/hand-back-unknown-claims.ts';
import { usageDuty } from '../../workers/maintenance/usage.ts';
import { openTestQueue, type TestQueue } from '../support/queue.ts';
import { usedBy } from '../support/usage.ts';
import { turn } from '../workers/runtime/support/turn.ts';

const DAY = 86_400;

let q: TestQueue;
let one: string;
let two: string;

beforeAll(async () => {
  q = await openTestQueue();
  [one, two] = [await q.makeTenant(), await q.makeTenant()];
});
beforeEach(async () => {
  await q.clear();
  await q.superuser.query('truncate millrace.stored_usage_events, millrace.usage_days');
});
afterAll(() => q.close());

async function used(tenantId: string, stretch: Parameters<typeof usedBy>[2] = {}) {
  return (await usedBy(q.db, tenantId, stretch)).map(({ definition_id: _, ...row }) => row);
}

/** Runs all over the last days, as if the program had been away meanwhile. */
async function spread(tenantId: string, count: number, days: number): Promise<void> {
  await q.superuser.query(
    `insert into millrace.stored_usage_events (tenant_id, definition_id, job_id, attempt_no, outcome, wall_ms, cpu_ms, created_at)
     select $1, ($2::uuid[])[1 + n % 2], uuidv7(), n, ($3::text[])[1 + n % 3], n, case when n % 4 = 0 then n end,
            now() - random() * make_interval(days => $4)
     from generate_series(1, $5) n`,
    [
      tenantId,
      [q.definitionId('alpha'), q.definitionId('beta')],
      ['succeeded', 'failed', 'lost'],
      days,
      count,
    ],
  );
  await q.superuser.query(
    `update millrace.usage_rollup set rolled_until = date_trunc('hour', now() - make_interval(days => $1 + 1))`,
    [days],
  );
}

const duty = (retentionSeconds: number | null) => usageDuty({ database: q.db, retentionSeconds });

test('a lost run is metered from its start to its reclaim, and one that was handed back unknown without time', async () => {
  await q.queue.enqueue(
    one,
    [1, 2].map(() => ({ definitionKey: 'alpha', payload: {} })),
  );
  const [lost, unknown] = await q.claim(2, 'worker-a');
  await q.superuser.query(
    `update millrace.jobs set claimed_at = now() - interval '1 minute', started_at = now() - interval '1 minute',
       lease_expires_at = now() - interval '1 second' where id = $1`,
    [lost?.job.id],
  );
  await q.queue.rescue(10);
  await q.db.asWorker(handBackUnknownClaims, ['worker-a', [], []]);
  const { rows } = await q.superuser.query(
    'select job_id, definition_id, attempt_no, outcome, wall_ms, cpu_ms from millrace.usage_events order by outcome',
  );
  const common = { definition_id: q.definitionId('alpha'), attempt_no: 1, cpu_ms: null };
  expect(rows).toMatchObject([
    { ...common, job_id: unknown?.job.id, outcome: 'handed_back', wall_ms: 0 },
    { ...common, job_id: lost?.job.id, outcome: 'lost' },
  ]);
  expect(rows[1].wall_ms).toBeGreaterThanOrEqual(60_000);
  expect(rows[1].wall_ms).toBeLessThan(120_000);
});

test('a run that began weeks ago, or never, is metered all the same when it is lost', async () => {
  await q.queue.enqueue(
    one,
    [1, 2].map(() => ({ definitionKey: 'alpha', payload: {} })),
  );
  const [ancient, never] = await q.claim(2);
  const expire = `lease_expires_at = now() - interval '1 second'`;
  await q.superuser.query(
    `update millrace.jobs set ${expire}, claimed_at = now() - interval '40 days', started_at = now() - interval '40 days' where id = $1`,
    [ancient?.job.id],
  );
  await q.superuser.query(
    `update millrace.jobs set ${expire}, started_at = claimed_at - interval '1 hour' where id = $1`,
    [never?.job.id],
  );
  expect(await q.queue.rescue(10)).toHaveLength(2);
  const { rows } = await q.superuser.query('select wall_ms from millrace.usage_events order by wall_ms');
  expect(rows.map((row) => row.wall_ms)).toEqual([0, 2_147_483_647]);
});

test('what a tenant used reads the same before, while and after its hours are summed up', async () => {
  await spread(two, 50, 3);
  await spread(one, 600, 3);
  const before = await used(one);
  expect(before.reduce((sum, row) => sum + Number(row.runs), 0)).toBe(600);
  expect(before.reduce((sum, row) => sum + Number(row.wall_ms), 0)).toBe((600 * 601) / 2);
  expect(before.reduce((sum, row) => sum + Number(row.cpu_runs), 0)).toBe(150);
  let hours = 0;
  const some = { ...turn(), goOn: () => hours++ % 30 !== 29 };
  await duty(null).run(some);
  expect(await used(one)).toEqual(before);
  // Two at once, as when a leader is followed while it still works.
  await Promise.all([duty(null).run(turn()), duty(null).run(turn())]);
  expect(await used(one)).toEqual(before);
  const { rows } = await q.superuser.query('select sum(runs)::integer as n from millrace.usage_days');
  expect(rows[0].n).toBeGreaterThan(600);
  const alpha = await used(one, { definitionKeys: ['alpha'] });
  expect(alpha).toEqual(before.filter((row) => row.definition_key === 'alpha'));
  expect(await used(one, { from: '2020-01-01', to: '2020-12-31' })).toEqual([]);
});

test('usage is deleted when its time is up, but never an event that is not summed up yet', async () => {
  await spread(one, 200, 10);
  // Not summed up: the duty may not go on.
  let asked = 0;
  await duty(5 * DAY).run({ ...turn(), goOn: () => asked++ > 0 });
  expect((await q.superuser.query('select from millrace.usage_events')).rowCount).toBe(200);
  await duty(5 * DAY).run(turn());
  const { rows } = await q.superuser.query(
    `select (select count(*)::int from millrace.usage_events where created_at < now() - interval '5 days') as old_events,
            (select count(*)::int from millrace.usage_days where day < (now() - interval '6 days')::date) as old_days,
            (select count(*)::int from millrace.usage_events) as events`,
  );
  expect(rows[0]).toMatchObject({ old_events: 0, old_days: 0 });
  expect(rows[0].events).toBeGreaterThan(0);
});
