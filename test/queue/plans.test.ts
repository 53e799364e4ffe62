import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPostgresQueue } from '../../src/queue/postgres-queue.ts';
import { statisticsDuty } from '../../workers/maintenance/statistics.ts';
import { testPipelines } from '../support/pipelines.ts';
import {
  jobError,
  measured,
  openDatabase,
  openTestQueue,
  succeeded,
  type TestQueue,
} from '../support/queue.ts';
import { connectSuperuser } from '../support/superuser.ts';
import { waitFor } from '../support/wait.ts';

let q: TestQueue;
beforeAll(async () => {
  // One connection, so that every verb meets its own early plans again.
  q = await openTestQueue(undefined, 1);
});
afterAll(() => q.close());

const FLUSH = {
  name: 'flush_statistics',
  text: 'select pg_stat_force_next_flush()',
} as const;

/**
 * Has what both sessions have read counted. By itself a session hands its counts in up to a second late, or
 * ten when it idles: what was read before a test began would count as what the test is about.
 */
async function countReads(): Promise<void> {
  // At the statement's end, and so not in one with the counters.
  await q.db.asWorker(FLUSH, []);
  await q.superuser.query(FLUSH.text);
}

/** How often the tables of the queue were read whole, as far as the server has counted. */
async function seqScans(): Promise<number> {
  await countReads();
  const { rows } = await q.superuser.query(
    `select sum(seq_scan)::int as n from pg_stat_user_tables where relname in ('jobs', 'stored_attempts')`,
  );
  return rows[0].n;
}

/** Rows that the queue's tables were asked for, by an index or whole, as far as the server has counted. */
async function rowsRead(): Promise<number> {
  await countReads();
  const { rows } = await q.superuser.query(
    `select sum(coalesce(seq_tup_read, 0) + coalesce((
       select sum(i.idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid), 0))::int as n
     from pg_stat_user_tables t where t.relname in ('jobs', 'stored_attempts')`,
  );
  return rows[0].n;
}

/** Process ids of the server's sessions for this database. */
async function sessions(): Promise<readonly number[]> {
  const { rows } = await q.superuser.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database()',
  );
  return rows.map(({ pid }) => pid);
}

/** Each verb of the queue once, on a job of its own. */
async function everyVerb(tenantId: string): Promise<void> {
  const [kept, retried] = await q.queue.enqueue(tenantId, [
    { definitionKey: 'alpha', payload: {}, dedupeKey: 'k', priority: 0 },
    { definitionKey: 'alpha', payload: {}, priority: 0 },
  ]);
  await q.queue.enqueue(tenantId, [{ definitionKey: 'alpha', payload: {}, dedupeKey: 'k' }]);
  const claimed = await q.claim(2);
  await q.queue.heartbeat(
    claimed.map((item) => item.lease),
    [30, 30],
  );
  for (const item of claimed) {
    await q.queue.holds(item.lease);
    await q.queue.start(item.lease);
    const failed = { kind: 'final', settlement: { status: 'failed', error: jobError() } } as const;
    await q.queue.finish(item, item.job.id === kept?.id ? succeeded() : failed, measured());
  }
  await q.queue.retry(tenantId, retried?.id ?? '');
  await q.queue.cancel(tenantId, retried?.id ?? '', 'user:ann', null);
  await q.queue.rescue(10);
}

test('statements that were first planned on a nearly empty table never read it whole once it has grown', async () => {
  const tenantId = await q.makeTenant();
  // What autovacuum finds in a queue that idles: a page or two, which are read fastest as a whole.
  await everyVerb(tenantId);
  await q.superuser.query(
    'vacuum analyze millrace.jobs, millrace.stored_attempts, millrace.job_definitions, millrace.tenants',
  );
  // Enough for prepared statements and PL/pgSQL to settle on their lasting plans.
  for (let i = 0; i < 12; i++) await everyVerb(tenantId);
  await q.superuser.query('alter table millrace.jobs set (autovacuum_enabled = off)');
  await q.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id) select $1, $2 from generate_series(1, 20000)`,
    [tenantId, q.definitionId('alpha')],
  );
  const before = await seqScans();
  for (let i = 0; i < 5; i++) await everyVerb(tenantId);
  expect((await seqScans()) - before).toBe(0);
});

describe('statistics that count no row, since they were taken while many were being put in', () => {
  beforeEach(async () => {
    await q.superuser.query('alter table millrace.jobs set (autovacuum_enabled = off)');
    // A session hands in its counts when it ends: those of deleted rows must not come after the count that
    // VACUUM sets.
    const cleaner = await connectSuperuser(q.url);
    await cleaner.query('delete from millrace.jobs');
    await cleaner.end();
    const tenantId = await q.makeTenant();
    const writer = await connectSuperuser(q.url);
    try {
      await writer.query('begin');
      await writer.query(
        `insert into millrace.jobs (tenant_id, definition_id) select $1, $2 from generate_series(1, 20000)`,
        [tenantId, q.definitionId('alpha')],
      );
      await q.superuser.query('vacuum analyze millrace.jobs');
      await writer.query('commit');
    } finally {
      await writer.end();
    }
    expect(await statistics()).toEqual({ counted: 0, is_large: true });
  });

  test('make neither claims nor settlements read them all', async () => {
    const before = await rowsRead();
    const others = await sessions();
    const db = openDatabase(q.url, 1);
    try {
      const queue = createPostgresQueue(db, q.notifier, q.definitions, { pipelines: testPipelines });
      for (let i = 0; i < 5; i++) {
        const request = { workerId: 'worker-a', definitionIds: [q.definitionId('alpha')], limit: 20 };
        const { jobs } = await queue.claim({ ...request, after: null });
        expect(jobs).toHaveLength(20);
        const ends = await Promise.all(jobs.map((job) => queue.finish(job, succeeded(), measured())));
        expect(new Set(ends)).toEqual(new Set(['settled']));
      }
    } finally {
      await db.close();
    }
    // A session hands in its counts before it is gone.
    await waitFor(async () => (await sessions()).every((pid) => others.includes(pid)), {
      describe: 'the end of its session',
    });
    expect((await rowsRead()) - before).toBeLessThan(3000);
  });

  test('are taken again by the new leader', async () => {
    const duty = statisticsDuty(q.db);
    const turn = { goOn: () => true, upSeconds: 60, pause: async () => undefined };
    // The count of the rows put in comes a moment after their commit.
    await waitFor(async () => (await duty.run(turn))['poor'] === 1, { describe: 'an ANALYZE' });
    expect((await statistics()).counted).toBeGreaterThan(15_000);
    expect(await duty.run(turn)).toEqual({ poor: 0 });
  });
});

/** What the planner knows of the table of jobs. */
async function statistics(): Promise<{ readonly counted: number; readonly is_large: boolean }> {
  const { rows } = await q.superuser.query(
    `select reltuples::int as counted, relpages > 100 as is_large from pg_class where oid = 'millrace.jobs'::regclass`,
  );
  return rows[0];
}
