import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rollUsageHour } from '../../src/db/sql/maintenance/roll-usage-hour.ts';
import { newestAttempts } from '../../src/db/sql/read/newest-attempts.ts';
import { retentionDuty } from '../../workers/maintenance/retention.ts';
import { usageDuty } from '../../workers/maintenance/usage.ts';
import { jobError, measured, openTestQueue, succeeded, type TestQueue } from '../support/queue.ts';
import { usedBy } from '../support/usage.ts';
import { turn } from '../workers/runtime/support/turn.ts';

// A run that succeeded has its record in the row of its job; `job_attempts` and `usage_events` read it from
// there.

const HOUR_SECONDS = 3_600;

let q: TestQueue;
let one: string;
let two: string;

beforeAll(async () => {
  q = await openTestQueue();
  [one, two] = [await q.makeTenant(), await q.makeTenant()];
});
beforeEach(async () => {
  await q.clear();
  await q.superuser.query(
    'truncate millrace.stored_attempts, millrace.stored_usage_events, millrace.usage_days',
  );
});
afterAll(() => q.close());

const superuser = async (sql: string, values: unknown[] = []) => (await q.superuser.query(sql, values)).rows;
const stored = async () =>
  (
    await superuser(`select (select count(*)::int from millrace.stored_attempts) as attempts,
                            (select count(*)::int from millrace.stored_usage_events) as events`)
  )[0];
const EVENTS = `select job_id, tenant_id, definition_id, attempt_no, outcome, wall_ms, cpu_ms, created_at
                from millrace.usage_events order by job_id, attempt_no`;

/** A job that failed once, if so wanted, and then succeeded. */
async function done(tenantId: string, failsFirst = false): Promise<string> {
  await q.queue.enqueue(tenantId, [{ definitionKey: 'alpha', payload: {} }]);
  const [first] = await q.claim(1);
  if (first === undefined) throw new Error('not claimed');
  if (!failsFirst) {
    expect(await q.queue.finish(first, succeeded({ ok: true }), measured())).toBe('settled');
    return first.job.id;
  }
  const retry = { kind: 'retry', delaySeconds: 0, error: jobError('boom') } as const;
  expect(await q.queue.finish(first, retry, measured())).toBe('settled');
  const [second] = await q.claim(1, 'worker-b');
  if (second === undefined) throw new Error('not claimed again');
  expect(await q.queue.finish(second, succeeded(null), measured())).toBe('settled');
  return second.job.id;
}

const used = (tenantId: string) => usedBy(q.db, tenantId);
const rollUp = () => usageDuty({ database: q.db, retentionSeconds: null }).run(turn());
const deleteOld = () =>
  retentionDuty({ queue: q.queue, defaultSeconds: HOUR_SECONDS, batch: 500 }).run(turn());
/** As if they had ended N hours ago; a finished job's times are not to be changed, so past the guard. */
async function age(hours: number): Promise<void> {
  await q.superuser.query('alter table millrace.jobs disable trigger jobs_legal_move');
  await q.superuser.query(
    'update millrace.jobs set finished_at = finished_at - make_interval(hours => $1), claimed_at = claimed_at - make_interval(hours => $1)',
    [hours],
  );
  await q.superuser.query('alter table millrace.jobs enable trigger jobs_legal_move');
  await q.superuser.query(
    'update millrace.stored_usage_events set created_at = created_at - make_interval(hours => $1)',
    [hours],
  );
}

describe('the record of a run', () => {
  test('that succeeded is the row of its job, as an attempt and as usage', async () => {
    const id = await done(one);
    expect(await stored()).toEqual({ attempts: 0, events: 0 });
    const job = await q.job(id);
    const common = { tenant_id: one, wall_ms: 5, cpu_ms: 1, job_id: id, attempt_no: 1 };
    expect(await superuser('select * from millrace.job_attempts')).toEqual([
      {
        ...common,
        worker_id: 'worker-a',
        status: 'succeeded',
        claimed_at: job['claimed_at'],
        started_at: job['started_at'],
        finished_at: job['finished_at'],
        error: null,
        pid: null,
        signal: null,
        exit_code: null,
        stdout_tail: null,
        stderr_tail: null,
      },
    ]);
    expect(await superuser(EVENTS)).toEqual([
      {
        ...common,
        definition_id: q.definitionId('alpha'),
        outcome: 'succeeded',
        created_at: job['finished_at'],
      },
    ]);
  });

  test('that failed is stored, and that of the next one, which succeeded, stands beside it', async () => {
    const id = await done(one, true);
    expect(await stored()).toEqual({ attempts: 1, events: 1 });
    const { rows } = await q.db.transaction({ role: 'api', tenantId: one, readOnly: true }, (tx) =>
      tx.query(newestAttempts, [[id]]),
    );
    expect(rows).toMatchObject([
      { attemptNo: 1, status: 'failed', workerId: 'worker-a', error: { message: 'boom' } },
      { attemptNo: 2, status: 'succeeded', workerId: 'worker-b', error: null, wallMs: 5 },
    ]);
    expect((await superuser(EVENTS)).map((row) => row.outcome)).toEqual(['failed', 'succeeded']);
  });

  test('that was skipped is stored: its row says succeeded, its run does not', async () => {
    await q.queue.enqueue(one, [{ definitionKey: 'alpha', payload: {} }]);
    const [claimed] = await q.claim(1);
    if (claimed === undefined) throw new Error('not claimed');
    const settlement = { status: 'succeeded', result: null, skippedReason: 'nothing to do' } as const;
    await q.queue.finish(
      claimed,
      { kind: 'final', settlement: { ...settlement, artifacts: [] } },
      measured(),
    );
    expect(await q.job(claimed.job.id)).toMatchObject({ status: 'succeeded', wall_ms: null });
    expect(await superuser('select status from millrace.job_attempts')).toEqual([{ status: 'skipped' }]);
    expect((await superuser(EVENTS)).map((row) => row.outcome)).toEqual(['skipped']);
  });

  test('is not to be changed once it stands there', async () => {
    const id = await done(one);
    for (const change of ['wall_ms = 1', 'wall_ms = null', 'cpu_ms = 2'])
      await expect(
        q.superuser.query(`update millrace.jobs set ${change} where id = $1`, [id]),
      ).rejects.toMatchObject({ constraint: 'jobs_legal_move' });
  });

  test('is a tenant’s own', async () => {
    await done(one, true);
    const mine = await done(two, true);
    for (const view of ['job_attempts', 'usage_events']) {
      const { rows } = await q.db.transaction({ role: 'api', tenantId: two, readOnly: true }, (tx) =>
        tx.client.query(`select distinct tenant_id, job_id from millrace.${view}`),
      );
      expect(rows, view).toEqual([{ tenant_id: two, job_id: mine }]);
    }
  });
});

describe('usage of a job that is deleted', () => {
  test('stays, run by run, as it was', async () => {
    await done(one, true);
    await done(two);
    await age(2);
    const before = await superuser(EVENTS);
    expect(before).toHaveLength(3);
    await deleteOld();
    expect(await superuser('select from millrace.jobs')).toEqual([]);
    expect(await superuser('select from millrace.job_attempts')).toEqual([]);
    expect(await superuser(EVENTS)).toEqual(before);
    expect(await stored()).toEqual({ attempts: 0, events: 3 });
  });

  test.each(['before', 'after'])('counts once when its hour is summed up %s the deletion', async (when) => {
    await done(one, true);
    await done(one);
    await age(5);
    await q.superuser.query(
      `update millrace.usage_rollup set rolled_until = date_trunc('hour', now()) - interval '8 hours'`,
    );
    const before = await used(one);
    expect(before.map((row) => [row.outcome, row.runs])).toEqual([
      ['failed', '1'],
      ['succeeded', '2'],
    ]);
    if (when === 'after') await deleteOld();
    await rollUp();
    expect(await superuser('select sum(runs)::int as n from millrace.usage_days')).toEqual([{ n: 3 }]);
    if (when === 'before') await deleteOld();
    expect(await used(one)).toEqual(before);
  });
});

test('an hour is summed up without reading all jobs that are kept', async () => {
  await q.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, status, run_no, claimed_at, finished_at, claimed_by_worker, wall_ms)
     select $1, $2, 'succeeded', 1, now(), now() - n * interval '1 minute', 'w', 1 from generate_series(1, 20000) n`,
    [one, q.definitionId('alpha')],
  );
  await q.superuser.query('analyze millrace.jobs');
  await q.superuser.query(
    `update millrace.usage_rollup set rolled_until = date_trunc('hour', now()) - interval '3 hours'`,
  );
  // By its plan: the counters of scans come from other sessions when it pleases them.
  const plan = (await superuser(`explain ${rollUsageHour.text}`, [0])).map((row) => row['QUERY PLAN']);
  expect(plan.filter((line) => line.includes('Seq Scan on jobs'))).toEqual([]);
  expect(plan.some((line) => line.includes('jobs_finished_idx'))).toBe(true);
  await rollUp();
  expect(await superuser('select runs::int from millrace.usage_days')).not.toEqual([]);
});

test('a worker of the previous version may store and prune by the names it knows', async () => {
  const id = await done(one);
  await q.db.transaction({ role: 'worker' }, async (tx) => {
    await tx.client.query(
      `insert into millrace.job_attempts (job_id, attempt_no, tenant_id, worker_id, status, claimed_at) values ($1, 7, $2, 'w', 'lost', now())`,
      [id, one],
    );
    await tx.client.query(
      `insert into millrace.usage_events (tenant_id, definition_id, job_id, attempt_no, outcome, wall_ms) values ($1, $2, $3, 7, 'lost', 1)`,
      [one, q.definitionId('alpha'), id],
    );
  });
  expect(await stored()).toEqual({ attempts: 1, events: 1 });
  const { rowCount } = await q.db.transaction({ role: 'worker' }, (tx) =>
    tx.client.query(
      `delete from millrace.usage_events e where (e.tenant_id, e.created_at, e.id) in
         (select o.tenant_id, o.created_at, o.id from millrace.usage_events o)`,
    ),
  );
  expect(rowCount).toBe(1);
  expect((await superuser(EVENTS)).map((row) => row.outcome)).toEqual(['succeeded']);
});
