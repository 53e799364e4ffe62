import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inBatches } from '../../src/core/duty.ts';
import { deleteFinishedJobs } from '../../src/db/sql/queue/delete-finished-jobs.ts';
import { findDueRetention } from '../../src/db/sql/queue/find-due-retention.ts';
import { deadLettersDuty } from '../../workers/maintenance/dead-letters.ts';
import { retentionDuty } from '../../workers/maintenance/retention.ts';
import { openTestQueue, type TestQueue } from '../support/queue.ts';
import { turn } from '../workers/runtime/support/turn.ts';

const DAY = 86_400;
const CONNECTIONS = 4;

let q: TestQueue;
let one: string;
let two: string;

beforeAll(async () => {
  q = await openTestQueue(undefined, CONNECTIONS);
  [one, two] = [await q.makeTenant(), await q.makeTenant()];
});
beforeEach(async () => {
  await q.clear();
  // The index keeps what was deleted until no transaction could see it, and a probe counts it as read: no
  // test sees what another left.
  await q.superuser.query('truncate millrace.jobs cascade');
  await q.superuser.query('delete from millrace.retention_positions; delete from millrace.usage_days');
  await q.superuser.query('update millrace.job_definitions set retention_seconds = null');
  await q.superuser.query('update millrace.tenants set retention_seconds = null');
});
afterAll(() => q.close());

const duty = (defaultSeconds: number | null, batch = 500) =>
  retentionDuty({ queue: q.queue, defaultSeconds, batch });

/** Jobs that ended N days ago. */
async function finished(
  tenantId: string,
  key: 'alpha' | 'beta',
  daysAgo: number,
  count = 1,
  status = 'succeeded',
): Promise<string[]> {
  const { rows } = await q.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, status, finished_at)
     select $1, $2, $3, now() - make_interval(days => $4) - n * interval '1 second' from generate_series(1, $5) n returning id`,
    [tenantId, q.definitionId(key), status, daysAgo, count],
  );
  return rows.map((row) => row.id);
}

async function left(): Promise<string[]> {
  const { rows } = await q.superuser.query('select id from millrace.jobs order by id');
  return rows.map((row) => row.id);
}

const retention = (table: string, column: string, value: string, seconds: number) =>
  q.superuser.query(`update millrace.${table} set retention_seconds = $1 where ${column} = $2`, [
    seconds,
    value,
  ]);

test('a job is kept as long as its definition says, else its tenant, else the configuration', async () => {
  await retention('job_definitions', 'key', 'beta', 30 * DAY);
  await retention('tenants', 'id', two, 5 * DAY);
  const kept = [
    ...(await finished(one, 'alpha', 13)),
    ...(await finished(one, 'beta', 29)),
    ...(await finished(two, 'alpha', 4)),
    ...(await finished(two, 'beta', 29)),
  ];
  for (const status of ['succeeded', 'failed', 'canceled']) {
    await finished(one, 'alpha', 15, 1, status);
    await finished(two, 'alpha', 6, 1, status);
    await finished(one, 'beta', 31, 1, status);
    await finished(two, 'beta', 31, 1, status);
  }
  await q.queue.enqueue(one, [{ definitionKey: 'alpha', payload: {} }]);
  const active = (await left()).length;
  expect(await duty(14 * DAY).run(turn())).toEqual({ jobs: 12 });
  expect(await left()).toHaveLength(active - 12);
  expect(await left()).toEqual(expect.arrayContaining(kept));
});

test('a dead letter is kept whatever the others’ retention is, and goes after its own where that is set', async () => {
  await retention('job_definitions', 'key', 'alpha', 0);
  const [old = '', parent = ''] = await finished(one, 'alpha', 40, 2, 'dead_letter');
  const [young = ''] = await finished(two, 'alpha', 20, 1, 'dead_letter');
  const [waiting] = await q.queue.enqueue(one, [{ definitionKey: 'alpha', payload: {} }]);
  await q.superuser.query(
    'insert into millrace.job_dependencies (job_id, depends_on_id, tenant_id) values ($1, $2, $3)',
    [waiting?.id, parent, one],
  );
  expect(await duty(1).run(turn())).toEqual({ jobs: 0 });
  const own = deadLettersDuty({ queue: q.queue, retentionSeconds: 30 * DAY });
  expect(await own.run(turn())).toEqual({ jobs: 1 });
  expect(await left()).toEqual([parent, young, waiting?.id].sort());
  expect(await left()).not.toContain(old);
});

test('without a configured retention jobs are kept forever, but where a definition or tenant says otherwise', async () => {
  await finished(one, 'alpha', 3_650);
  expect(await duty(null).run(turn())).toEqual({ jobs: 0 });
  await retention('job_definitions', 'key', 'alpha', 0);
  await finished(one, 'beta', 3_650);
  expect(await duty(null).run(turn())).toEqual({ jobs: 1 });
  // A number that no calendar holds is a long time and no error.
  await retention('tenants', 'id', one, 9_000_000_000_000_000);
  expect(await duty(1).run(turn())).toEqual({ jobs: 0 });
});

test('a job that another one still waits for is kept until that has ended, in the next long look', async () => {
  const [parent = '', child = ''] = await finished(one, 'alpha', 20, 2);
  await q.superuser
    .query(
      `update millrace.jobs set status = 'queued', finished_at = null, pending_dependencies = 1 where id = $1`,
      [child],
    )
    .catch(() => undefined);
  const [waiting] = await q.queue.enqueue(one, [{ definitionKey: 'alpha', payload: {} }]);
  await q.superuser.query(
    'insert into millrace.job_dependencies (job_id, depends_on_id, tenant_id) values ($1, $2, $3)',
    [waiting?.id, parent, one],
  );
  const looking = duty(DAY);
  await looking.run(turn());
  expect(await left()).toContain(parent);
  expect(await left()).not.toContain(child);
  await q.queue.cancel(one, waiting?.id ?? '', 'user:ann', null);
  // As if the hours until then had passed.
  const { rowCount } = await q.superuser.query(
    `update millrace.retention_positions set look_again_at = now() where look_again_at > now() + interval '5 hours'`,
  );
  expect(rowCount).toBe(1);
  await duty(DAY).run(turn());
  expect(await left()).toEqual([waiting?.id]);
});

test('what belongs to a job goes with it, its tombstone and what it used stay', async () => {
  const [id] = await finished(one, 'alpha', 20);
  await q.superuser.query(
    `insert into millrace.stored_attempts (job_id, attempt_no, tenant_id, worker_id, status, claimed_at) values ($1, 1, $2, 'w', 'succeeded', now())`,
    [id, one],
  );
  await q.superuser.query(
    'insert into millrace.job_progress (job_id, tenant_id, run_no) values ($1, $2, 1)',
    [id, one],
  );
  await q.superuser.query(
    `insert into millrace.stored_usage_events (tenant_id, definition_id, job_id, attempt_no, outcome, wall_ms) values ($1, $2, $3, 1, 'succeeded', 5)`,
    [one, q.definitionId('alpha'), id],
  );
  await duty(DAY).run(turn());
  const count = async (table: string) =>
    (await q.superuser.query(`select from millrace.${table} where job_id = $1`, [id])).rowCount;
  expect([
    await count('job_attempts'),
    await count('job_progress'),
    await count('job_tombstones'),
    await count('usage_events'),
  ]).toEqual([0, 0, 1, 1]);
});

test('many due jobs go in batches, a neighbour’s that are kept longer in between, and a row that somebody holds is left', async () => {
  await retention('job_definitions', 'key', 'beta', 365 * DAY);
  const kept = await finished(one, 'beta', 20, 700);
  const [held] = await finished(one, 'alpha', 20, 700);
  await q.superuser.query('begin');
  await q.superuser.query('select from millrace.jobs where id = $1 for key share', [held]);
  const pauses: number[] = [];
  const resting = { ...turn(), pause: async (ms: number) => void pauses.push(ms) };
  expect(await duty(14 * DAY, 50).run(resting)).toEqual({ jobs: 699 });
  await q.superuser.query('commit');
  expect(pauses.length).toBeGreaterThanOrEqual(14);
  expect((await left()).sort()).toEqual([...kept, held].sort());
});

test('jobs that are kept longer are looked through once and not each minute', async () => {
  await retention('job_definitions', 'key', 'beta', 365 * DAY);
  await finished(one, 'beta', 20, 3_000);
  const looking = duty(14 * DAY);
  await looking.run(turn());
  const before = await entriesRead();
  await finished(one, 'alpha', 14, 3);
  expect(await looking.run(turn())).toEqual({ jobs: 0 });
  expect((await entriesRead()) - before).toBeLessThan(1_000);
  // A definition that is to be kept less long is looked for again.
  await retention('job_definitions', 'key', 'beta', 2 * DAY);
  expect(await looking.run(turn())).toEqual({ jobs: 3_000 });
});

/**
 * Entries of the index of finished jobs that were read so far, by all connections: each counts for itself and
 * reports up to ten seconds later, which would be in the middle of what is measured. Asked at once for as
 * many statements as there are connections, the pool uses each.
 */
async function entriesRead(): Promise<number> {
  const flush = { name: 'flush', text: 'select pg_stat_force_next_flush(), pg_sleep(0.05)' };
  await Promise.all(Array.from({ length: CONNECTIONS }, () => q.db.asWorker(flush, [])));
  const { rows } = await q.superuser.query(
    `select pg_stat_force_next_flush(), (select idx_tup_read::int from pg_stat_user_indexes where indexrelname = 'jobs_finished_idx') as n`,
  );
  return rows[0].n;
}

test('a new leader goes on where the last one stopped, and does not read what is kept', async () => {
  await retention('job_definitions', 'key', 'beta', 365 * DAY);
  await finished(one, 'beta', 20, 3_000);
  await duty(14 * DAY).run(turn());
  const before = await entriesRead();
  await duty(14 * DAY).run(turn());
  expect((await entriesRead()) - before).toBeLessThan(1_000);
});

test('a definition with a retention of its own makes nobody’s history be read who never had such jobs', async () => {
  const used = (tenantId: string, key: string) =>
    q.superuser.query(
      `insert into millrace.usage_days (tenant_id, day, definition_id, outcome, runs, wall_ms, cpu_ms, cpu_runs)
       values ($1, current_date - 5, $2, 'succeeded', 1, 1, 0, 0)`,
      [tenantId, q.definitionId(key)],
    );
  await finished(one, 'alpha', 5, 3_000);
  await used(one, 'alpha');
  const [early] = await finished(two, 'beta', 5, 1);
  await used(two, 'beta');
  const [canceled] = await finished(two, 'beta', 6, 1, 'canceled');
  await duty(14 * DAY).run(turn());
  await retention('job_definitions', 'key', 'beta', 0);
  // Not in the sums yet.
  const { rows } = await q.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, status, finished_at)
     values ($1, $2, 'succeeded', now() - interval '10 minutes') returning id`,
    [one, q.definitionId('beta')],
  );
  const fresh = rows[0].id;
  const before = await entriesRead();
  await duty(14 * DAY).run(turn());
  expect((await entriesRead()) - before).toBeLessThan(1_000);
  const gone = [early, canceled, fresh];
  expect((await left()).filter((id) => gone.includes(id))).toEqual([]);
});

test('finding and deleting what is due goes through the index of finished jobs', async () => {
  await q.superuser.query('begin');
  await q.superuser.query('set local role millrace_worker');
  await q.superuser.query('set local enable_seqscan = off');
  const plan = async (text: string): Promise<string> => {
    const { rows } = await q.superuser.query(`explain (generic_plan) ${text}`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  for (const statement of [findDueRetention, deleteFinishedJobs]) {
    const text = await plan(statement.text);
    expect(text).toMatch(/Index (Only )?Scan using jobs_finished_idx/);
    expect(text).not.toMatch(/Seq Scan on jobs/);
  }
  await q.superuser.query('rollback');
});

test('a duty rests four times as long as it worked, and begins nothing once its turn is over', async () => {
  let pieces = 0;
  const pauses: number[] = [];
  const worked = async () => {
    const untilMs = performance.now() + 20;
    while (performance.now() < untilMs) pieces += 0;
    pieces++;
    return { done: 1, more: true };
  };
  const ending = { goOn: () => pieces < 3, upSeconds: 1, pause: async (ms: number) => void pauses.push(ms) };
  expect(await inBatches(ending, worked)).toBe(3);
  expect(pauses).toHaveLength(3);
  for (const ms of pauses) expect(ms).toBeGreaterThanOrEqual(80);
});
