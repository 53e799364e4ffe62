import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runSchedules } from '../../../src/domains/triggers/dispatch/run-schedules.ts';
import { openTestQueue, type TestQueue } from '../../support/queue.ts';
import { type Dispatchers, openDispatchers } from './dispatchers.ts';

let q: TestQueue;
let dispatchers: Dispatchers;
let tenantId: string;

beforeAll(async () => {
  q = await openTestQueue();
  dispatchers = openDispatchers(q.url);
});
afterAll(async () => {
  await dispatchers.close();
  await q.close();
});
beforeEach(async () => {
  await q.clear();
  await q.superuser.query('delete from millrace.triggers');
  tenantId = await q.makeTenant();
});

/** A schedule of each hour whose tick was due that long ago. */
async function schedule(dueHoursAgo: number, columns: Record<string, unknown> = {}): Promise<string> {
  const { rows: now } = await q.superuser.query(
    `select date_trunc('hour', now()) - make_interval(hours => $1) as at`,
    [dueHoursAgo],
  );
  const row = {
    tenant_id: tenantId,
    definition_id: q.definitionId('beta'),
    label: 's',
    kind: 'schedule',
    payload_template: { at: '{{schedule.scheduledAt}}', by: '{{trigger.id}}', of: '{{tenant.id}}' },
    next_at: now[0].at,
    due_at: now[0].at,
    ...columns,
    ...(!('run_at' in columns) &&
      !('every_seconds' in columns) &&
      !('cron' in columns) && { cron: '0 * * * *' }),
  };
  const names = Object.keys(row);
  const { rows } = await q.superuser.query(
    `insert into millrace.triggers (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')}) returning id`,
    Object.values(row),
  );
  return rows[0].id;
}

const one = async (text: string, id: string) => (await q.superuser.query(text, [id])).rows;
const runsOf = (id: string) =>
  one(
    'select outcome, reason, scheduled_at, job_id from millrace.trigger_runs where trigger_id = $1 order by scheduled_at, id',
    id,
  );
const rowOf = async (id: string) =>
  (await one('select next_at, due_at, last_at from millrace.triggers where id = $1', id))[0];
const outcomes = async (id: string) => (await runsOf(id)).map(({ outcome }) => outcome);
const HOUR_MS = 3_600_000;

test.each([
  ['skip', 0],
  ['run_once', 1],
  ['backfill', 3],
])('missed runs by the policy %s make %d jobs', async (missed_runs, jobs) => {
  // At the full hour the last tick is on time and no missed one.
  const { rows } = await q.superuser.query(`select extract(minute from now())::int as minute`);
  const id = await schedule(8, {
    missed_runs,
    backfill_limit: 3,
    ...(rows[0].minute < 2 && { cron: null, every_seconds: 5_400 }),
  });
  await dispatchers.drain(runSchedules);
  const runs = await runsOf(id);
  const enqueued = runs.filter(({ outcome }) => outcome === 'enqueued');
  expect(enqueued).toHaveLength(jobs);
  expect(runs.filter(({ outcome }) => outcome === 'missed')).toHaveLength(1);
  expect((await rowOf(id))?.['next_at'].getTime()).toBeGreaterThan(Date.now());
  const payloads = await one('select payload from millrace.jobs where source_ref = $1::uuid::text', id);
  expect(payloads.map(({ payload }) => payload)).toEqual(
    expect.arrayContaining(
      enqueued.map(({ scheduled_at }) => ({ at: scheduled_at.toISOString(), by: id, of: tenantId })),
    ),
  );
});

test('a one-off makes one job and has no next run', async () => {
  const at = new Date(Math.floor(Date.now() / 1000) * 1000 - 2_000);
  const id = await schedule(0, { run_at: at, next_at: at, due_at: at });
  await dispatchers.drain(runSchedules);
  expect(await runsOf(id)).toMatchObject([{ outcome: 'enqueued', scheduled_at: at }]);
  expect(await rowOf(id)).toEqual({ next_at: null, due_at: null, last_at: at });
});

test('a schedule ends with its end date', async () => {
  const at = new Date(Math.floor(Date.now() / 1000) * 1000 - 2_000);
  const id = await schedule(0, {
    every_seconds: 3_600,
    next_at: at,
    due_at: at,
    ends_at: new Date(at.getTime() + HOUR_MS),
  });
  await dispatchers.drain(runSchedules);
  expect(await outcomes(id)).toEqual(['enqueued']);
  expect(await rowOf(id)).toMatchObject({ next_at: null, due_at: null });
});

test.each([
  [{ missing_hour: 'after' }, '2025-03-29', ['2025-03-29T01:30', '2025-03-30T01:00']],
  [{ missing_hour: 'skip' }, '2025-03-29', ['2025-03-29T01:30']],
  [{ repeated_hour: 'first' }, '2025-10-25', ['2025-10-25T00:30', '2025-10-26T00:30']],
  [{ repeated_hour: 'both' }, '2025-10-25', ['2025-10-25T00:30', '2025-10-26T00:30', '2025-10-26T01:30']],
])('the clock changes by the policy %j of the trigger from %s on', async (policy, day, ticks) => {
  const first = new Date(`${ticks[0]}:00Z`);
  const id = await schedule(0, {
    cron: '30 2 * * *',
    time_zone: 'Europe/Berlin',
    missed_runs: 'backfill',
    backfill_limit: 100,
    next_at: first,
    due_at: first,
    ends_at: new Date(Date.parse(day) + 48 * HOUR_MS),
    ...policy,
  });
  await dispatchers.drain(runSchedules);
  expect((await runsOf(id)).map(({ scheduled_at }) => scheduled_at.toISOString().slice(0, 16))).toEqual(
    ticks,
  );
});

test('a jitter puts the start off, and leaves the time of the run as it is', async () => {
  // So long ago that the greatest jitter is over.
  const at = new Date(Math.floor(Date.now() / 1000) * 1000 - 700_000);
  const rows = await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      const id = await schedule(0, {
        label: `s${n}`,
        every_seconds: 3_600,
        next_at: at,
        due_at: at,
        jitter_seconds: 600,
      });
      return id;
    }),
  );
  await dispatchers.drain(runSchedules);
  const delays = new Set<number>();
  for (const id of rows) {
    expect(await runsOf(id)).toMatchObject([{ outcome: 'enqueued', scheduled_at: at }]);
    const { next_at, due_at } = (await rowOf(id)) as { next_at: Date; due_at: Date };
    expect(next_at.getTime()).toBe(at.getTime() + HOUR_MS);
    const delayMs = due_at.getTime() - next_at.getTime();
    expect(delayMs).toBeGreaterThanOrEqual(0);
    expect(delayMs).toBeLessThan(600_000);
    delays.add(delayMs);
  }
  expect(delays.size).toBeGreaterThan(6);
  // Not before it is due.
  await q.superuser.query(
    `update millrace.triggers set next_at = now() - interval '1 minute', due_at = now() + interval '1 minute'`,
  );
  expect(await runSchedules(dispatchers.first)).toBe(0);
});

test('a schedule that is held back by its last job starts again once that has ended', async () => {
  const id = await schedule(0, { every_seconds: 3_600, skip_while_active: true });
  const makeDue = (secondsAgo: number) =>
    q.superuser.query(
      `update millrace.triggers set next_at = date_trunc('second', now()) - make_interval(secs => $2), due_at = now() - interval '1 s' where id = $1`,
      [id, secondsAgo],
    );
  await makeDue(15);
  await dispatchers.drain(runSchedules);
  const [running] = await q.claim(1);
  expect(running).toBeDefined();
  await makeDue(10);
  await dispatchers.drain(runSchedules);
  expect((await outcomes(id)).toSorted()).toEqual(['enqueued', 'still_active']);
  await q.superuser.query(
    `update millrace.jobs set status = 'canceled', finished_at = now(), lease_token = null, lease_expires_at = null`,
  );
  await makeDue(5);
  await dispatchers.drain(runSchedules);
  expect((await outcomes(id)).toSorted()).toEqual(['enqueued', 'enqueued', 'still_active']);
});

test('each tick makes one job with five schedulers, one of them frozen in its transaction, whose connections are killed', async () => {
  const count = 300;
  const at = new Date(Math.floor(Date.now() / 1000) * 1000 - 20_000);
  await q.superuser.query(
    `insert into millrace.triggers (tenant_id, definition_id, label, kind, every_seconds, payload_template, next_at, due_at)
     select $1, $2, n::text, 'schedule', 10, '{}', $3, $3 from generate_series(1, $4) n`,
    [tenantId, q.definitionId('beta'), at, count],
  );
  // A scheduler that has taken some of the rows and stands still: the others pass them over until its
  // connection goes.
  await q.superuser.query('begin');
  await q.superuser.query('select from millrace.triggers order by id limit 50 for no key update');
  await dispatchers.drain(runSchedules);
  await q.superuser.query('rollback');
  let isDone = false;
  let kills = 0;
  const killing = (async () => {
    while (!isDone) {
      const { rowCount } = await q.superuser.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and query like '%triggers%' and random() < $1`,
        [kills === 0 ? 1 : 0.1],
      );
      kills += rowCount ?? 0;
    }
  })();
  await dispatchers.drain(runSchedules);
  isDone = true;
  await killing;
  await dispatchers.drain(runSchedules);
  expect(kills).toBeGreaterThan(0);
  const { rows } = await q.superuser.query(
    `select t.id, array_agg(r.scheduled_at order by r.scheduled_at) as ticks, count(distinct r.job_id)::int as jobs
     from millrace.triggers t join millrace.trigger_runs r on r.trigger_id = t.id and r.outcome = 'enqueued' group by t.id`,
  );
  expect(rows).toHaveLength(count);
  for (const { ticks, jobs } of rows) {
    expect(jobs).toBe(ticks.length);
    expect(ticks.map((tick: Date) => tick.getTime())).toEqual(
      ticks.map((_: Date, index: number) => at.getTime() + index * 10_000),
    );
  }
  const { rows: made } = await q.superuser.query(
    `select count(*)::int as n from millrace.jobs where source = 'schedule'`,
  );
  expect(made[0].n).toBe(rows.reduce((sum, { jobs }) => sum + jobs, 0));
});
