import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { claimSingleLane } from '../../src/db/sql/queue/claim-single-lane.ts';
import { PostgresMaintenanceQueue } from '../../src/queue/maintenance-verbs.ts';
import { pipelinesOf } from '../../src/queue/pipelines.ts';
import { startMaintenance } from '../../workers/maintenance/round.ts';
import { openTestQueue, silentLog, type TestQueue } from '../support/queue.ts';
import { waitFor } from '../support/wait.ts';
import { openWorkerSession } from '../support/worker-session.ts';

// Jobs for later lie apart: a claim does not read them, whatever they are, until they are due.

let q: TestQueue;
let worker: pg.Client;
let tenantId: string;
beforeAll(async () => {
  q = await openTestQueue();
  worker = await openWorkerSession(q.url);
  tenantId = await q.makeTenant();
  await q.superuser.query('alter table millrace.jobs set (autovacuum_enabled = off)');
});
beforeEach(() => q.clear());
afterAll(async () => {
  await worker.end();
  await q.close();
});

const enqueue = async (delaySeconds: number): Promise<string> => {
  const scheduledFor = new Date(Date.now() + delaySeconds * 1_000);
  const [enqueued] = await q.queue.enqueue(tenantId, [{ definitionKey: 'alpha', payload: {}, scheduledFor }]);
  return enqueued?.id as string;
};

/** As if so much time had passed: the trigger, which goes by the clock, is passed by. */
const makeDue = (which: string, values: unknown[] = []) =>
  q.superuser.query(
    `set session_replication_role = replica;
     update millrace.jobs set scheduled_for = scheduled_for - interval '1 day' where ${which.replaceAll(/\$(\d)/g, (_, n) => `'${values[Number(n) - 1]}'`)};
     set session_replication_role = origin`,
  );

/** Pages that a claim of one job touches which finds nothing. */
async function pagesOfIdleClaim(): Promise<number> {
  const ids = ['alpha', 'beta'].map((key) => `'${q.definitionId(key)}'`).join(', ');
  const { rows } = await worker.query(
    `explain (analyze, buffers, format json)
     select * from millrace.claim_jobs('w', array[${ids}]::uuid[], 10, 0, '{}', null, null, 0, 32, null, null, null, null, null, null, true)`,
  );
  const plan = rows[0]['QUERY PLAN'][0].Plan;
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

/** Pages that the statement of a claim in one lane touches which finds nothing. */
async function pagesOfIdleSingleLane(): Promise<number> {
  const { rows } = await worker.query(`explain (analyze, buffers, format json) ${claimSingleLane.text}`, [
    'w',
    tenantId,
    q.definitionId('alpha'),
    10,
    false,
  ]);
  const plan = rows[0]['QUERY PLAN'][0].Plan;
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

test('an idle claim reads as much with 40,000 jobs for later in 5,000 lanes as with none, whichever form it has', async () => {
  for (const pagesOf of [pagesOfIdleClaim, pagesOfIdleSingleLane]) {
    await q.clear();
    await pagesOf();
    const before = await pagesOf();
    // Each due at a time of its own, as jobs of users are: entries of the index that are alike would be
    // stored as one.
    await q.superuser.query(
      `with made as (insert into millrace.tenants (slug, name)
                     select 'later-' || gen_random_uuid(), 'x' from generate_series(1, 5000) returning id)
       insert into millrace.jobs (tenant_id, definition_id, scheduled_for)
       select id, $1, now() + interval '1 day' + random() * interval '1 day' from made, generate_series(1, 8)`,
      [q.definitionId('alpha')],
    );
    await q.superuser.query('vacuum analyze millrace.jobs');
    await pagesOf();
    expect((await pagesOf()) - before, pagesOf.name).toBeLessThan(20);
  }
});

test('a delayed job is claimed when it is due, and its version does not say that it became ready', async () => {
  const later = await enqueue(86_400);
  expect((await q.job(later))['is_delayed']).toBe(true);
  expect(await q.claim()).toEqual([]);
  await makeDue(`id = $1`, [later]);
  const [claimed] = await q.claim();
  expect(claimed?.job.id).toBe(later);
  expect(claimed?.job.version).toBe(2n);
});

test('what has become due or is moved forward lies among the ready jobs', async () => {
  const now = await enqueue(0);
  expect((await q.job(now))['is_delayed']).toBe(false);
  const later = await enqueue(86_400);
  await q.superuser.query('update millrace.jobs set scheduled_for = now() where id = $1', [later]);
  expect((await q.job(later))['is_delayed']).toBe(false);
  await q.superuser.query(
    `update millrace.jobs set scheduled_for = now() + interval '1 hour' where id = $1`,
    [later],
  );
  expect((await q.job(later))['is_delayed']).toBe(true);
});

test('behind a lane with thousands of jobs due at the same moment, those of others are ready in the first round', async () => {
  await q.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, scheduled_for)
     select $1, $2, now() + interval '1 hour' from generate_series(1, 3000)`,
    [tenantId, q.definitionId('alpha')],
  );
  const other = await q.makeTenant();
  await q.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, scheduled_for) values ($1, $2, now() + interval '2 hours')`,
    [other, q.definitionId('beta')],
  );
  await makeDue('true');
  await worker.query('select millrace.promote_due_lanes(100)');
  const { rows } = await q.superuser.query(
    `select tenant_id, count(*)::int as ready from millrace.jobs where not is_delayed group by 1`,
  );
  expect(new Map(rows.map(({ tenant_id, ready }) => [tenant_id, ready]))).toEqual(
    new Map([
      [tenantId, 100],
      [other, 1],
    ]),
  );
});

test('the leader makes all that is due ready without a claim, and notifies workers', async () => {
  await q.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, scheduled_for)
     select $1, $2, now() + interval '1 hour' from generate_series(1, 3000)`,
    [tenantId, q.definitionId('alpha')],
  );
  await makeDue('true');
  const notified: string[] = [];
  const notifier = { notify: (channel: string) => void notified.push(channel) };
  const queue = new PostgresMaintenanceQueue(q.db, notifier, pipelinesOf([]));
  const maintenance = startMaintenance({ database: q.db, queue, log: silentLog });
  try {
    await waitFor(
      async () => {
        const { rows } = await q.superuser.query(
          'select count(*)::int as delayed from millrace.jobs where is_delayed',
        );
        return rows[0].delayed === 0;
      },
      { describe: 'all to be ready' },
    );
    expect(notified).toContain('millrace_work');
  } finally {
    await maintenance.stop();
  }
});
