import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PostgresProducerQueue } from '../../src/queue/producer-verbs.ts';
import { testPipelines } from '../support/pipelines.ts';
import { openTestQueue, type TestQueue } from '../support/queue.ts';
import { waitFor } from '../support/wait.ts';

let q: TestQueue;
let producer: PostgresProducerQueue;
beforeAll(async () => {
  q = await openTestQueue();
  producer = new PostgresProducerQueue(q.db, q.notifier, { pipelines: testPipelines });
});
beforeEach(() => q.clear());
afterAll(() => q.close());

/** Jobs that have ended in some status, made by a foreign writer. */
async function ended(tenantId: string, status: string, count: number, key: string | null = null) {
  const { rows } = await q.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, status, finished_at, run_no, attempt_count, dedupe_key)
     select $1, $2, $3, now(), 3, 3, $5 from generate_series(1, $4) returning id`,
    [tenantId, q.definitionId('alpha'), status, count, key],
  );
  return rows.map((row) => row.id as string);
}

const retryAll = (tenantId: string, ids: readonly string[], spreadSeconds = 0) =>
  producer.retryMany({ tenantId, ids, statuses: null, by: 'user:ann', filter: {} }, spreadSeconds);

async function isWaitingForLock(): Promise<boolean> {
  // Within a transaction the view stays as it was first read.
  await q.superuser.query('select pg_stat_clear_snapshot()');
  const { rows } = await q.superuser.query(
    `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%retry_jobs%'`,
  );
  return rows.length > 0;
}

test('puts back whatever failed, died or was canceled, and counts the rest by reason', async () => {
  const tenantId = await q.makeTenant();
  const back = [
    ...(await ended(tenantId, 'failed', 2)),
    ...(await ended(tenantId, 'dead_letter', 1)),
    ...(await ended(tenantId, 'canceled', 1)),
  ];
  const succeeded = await ended(tenantId, 'succeeded', 3);
  const [queued] = await q.queue.enqueue(tenantId, [{ definitionKey: 'beta', payload: {} }]);
  const counts = await retryAll(tenantId, [...back, ...succeeded, queued?.id ?? '']);
  expect(counts).toEqual({ changedCount: 4, requestedCount: 0, skipped: { succeeded: 3, queued: 1 } });
  for (const id of back) {
    expect(await q.job(id)).toMatchObject({
      status: 'queued',
      attempt_count: 0,
      run_no: 3,
      finished_at: null,
    });
  }
});

test('skips jobs whose dedupe key is active, and all but one of those that share one', async () => {
  const tenantId = await q.makeTenant();
  const [blocked = ''] = await ended(tenantId, 'failed', 1, 'taken');
  await q.queue.enqueue(tenantId, [{ definitionKey: 'alpha', payload: {}, dedupeKey: 'taken' }]);
  const shared = await ended(tenantId, 'failed', 3, 'shared');
  const free = await ended(tenantId, 'failed', 5);
  const counts = await retryAll(tenantId, [blocked, ...shared, ...free]);
  expect(counts).toEqual({ changedCount: 6, requestedCount: 0, skipped: { active_duplicate: 3 } });
  expect(await q.job(blocked)).toMatchObject({ status: 'failed' });
  const states: unknown[] = [];
  for (const id of shared) states.push((await q.job(id))['status']);
  expect(states.sort()).toEqual(['failed', 'failed', 'queued']);
});

test('counts as a duplicate what a rival enqueues while the batch is under way', async () => {
  const tenantId = await q.makeTenant();
  const [contested = ''] = await ended(tenantId, 'failed', 1, 'contested');
  const free = await ended(tenantId, 'failed', 3);
  await q.superuser.query('begin');
  await q.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, dedupe_key) values ($1, $2, 'contested')`,
    [tenantId, q.definitionId('alpha')],
  );
  const retrying = retryAll(tenantId, [contested, ...free]);
  try {
    await waitFor(isWaitingForLock, { describe: 'the retry to wait for its rival' });
  } finally {
    await q.superuser.query('commit');
  }
  expect(await retrying).toEqual({ changedCount: 3, requestedCount: 0, skipped: { active_duplicate: 1 } });
});

test('puts each job back once when it is asked for twice at the same time', async () => {
  const tenantId = await q.makeTenant();
  const ids = await ended(tenantId, 'failed', 700);
  const [one, two] = await Promise.all([retryAll(tenantId, ids), retryAll(tenantId, ids)]);
  expect((one?.changedCount ?? 0) + (two?.changedCount ?? 0)).toBe(700);
  expect((one?.skipped.queued ?? 0) + (two?.skipped.queued ?? 0)).toBe(700);
  const { rows } = await q.superuser.query(
    `select count(*)::int as n, max(version)::int as version from millrace.jobs where tenant_id = $1 and status = 'queued'`,
    [tenantId],
  );
  expect(rows[0]).toEqual({ n: 700, version: 2 });
  const log = await q.superuser.query(
    `select sum((details->>'changedCount')::int)::int as n from millrace.audit_log where tenant_id = $1`,
    [tenantId],
  );
  expect(log.rows[0].n).toBe(700);
});

test('spreads many over the time that is asked for, none before now', async () => {
  const tenantId = await q.makeTenant();
  const ids = await ended(tenantId, 'failed', 300);
  const before = await q.superuser.query('select clock_timestamp() as now');
  await retryAll(tenantId, ids, 600);
  const { rows } = await q.superuser.query(
    `select min(scheduled_for) >= $2 as none_early, max(scheduled_for) <= clock_timestamp() + interval '600 seconds' as none_late,
            count(*) filter (where scheduled_for > clock_timestamp() + interval '300 seconds')::int as second_half
     from millrace.jobs where tenant_id = $1`,
    [tenantId, before.rows[0].now],
  );
  expect(rows[0]).toMatchObject({ none_early: true, none_late: true });
  expect(rows[0].second_half).toBeGreaterThan(60);
  expect(rows[0].second_half).toBeLessThan(240);
});

test('lifts an expiry that has passed, which would end the job before its run, and keeps one that has not', async () => {
  const tenantId = await q.makeTenant();
  const [past = '', future = ''] = await ended(tenantId, 'canceled', 2);
  await q.superuser.query(
    `update millrace.jobs set expires_at = now() + case id when $1 then interval '-1 hour' else interval '1 hour' end where id in ($1, $2)`,
    [past, future],
  );
  await retryAll(tenantId, [past, future]);
  expect(await q.job(past)).toMatchObject({ status: 'queued', expires_at: null });
  expect(await q.job(future)).toMatchObject({ status: 'queued', expires_at: expect.any(Date) });
});
