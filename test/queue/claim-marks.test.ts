import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JobQueue } from '../../src/core/queue.ts';
import { createPostgresQueue } from '../../src/queue/postgres-queue.ts';
import { testPipelines } from '../support/pipelines.ts';
import { openTestQueue, type TestQueue } from '../support/queue.ts';
import { waitFor } from '../support/wait.ts';

let q: TestQueue;
let tenantId: string;
beforeAll(async () => {
  // One connection, so that what it has counted can be asked for.
  q = await openTestQueue(undefined, 1);
  await q.superuser.query('alter table millrace.jobs set (autovacuum_enabled = off)');
});
beforeEach(async () => {
  await q.superuser.query('truncate millrace.jobs cascade');
  tenantId = await q.makeTenant();
});
afterAll(() => q.close());

const fill = (count: number, scheduledFor = 'now()', priority = 100) =>
  q.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id, priority, scheduled_for)
     select $1, $2, $3, ${scheduledFor} from generate_series(1, $4)`,
    [tenantId, q.definitionId('alpha'), priority, count],
  );
const claim = async (queue: JobQueue, limit: number) =>
  (await queue.claim({ workerId: 'w', definitionIds: [...q.definitions.keys()], limit, after: null })).jobs;

/** Entries of the ready index that claims have looked at so far. */
async function entriesRead(): Promise<number> {
  await q.db.asWorker({ name: 'flush', text: 'select pg_stat_force_next_flush()' }, []);
  await q.db.asWorker({ name: 'flushed', text: 'select 1' }, []);
  const { rows } = await q.superuser.query(
    `select idx_tup_read::int as n from pg_stat_user_indexes where indexrelname = 'jobs_ready_idx'`,
  );
  return rows[0].n;
}

async function readBy(work: () => Promise<unknown>): Promise<number> {
  const before = await entriesRead();
  await work();
  return (await entriesRead()) - before;
}

describe('while another session holds an old snapshot', () => {
  test('claims do not wade through what has been claimed since, unlike those of a process that has no marks', async () => {
    await fill(12_000);
    const old = new pg.Client({ connectionString: q.url });
    await old.connect();
    await old.query('begin isolation level repeatable read');
    await old.query('select from millrace.jobs limit 1');
    try {
      for (let i = 0; i < 14; i++) expect(await claim(q.queue, 500)).toHaveLength(500);
      let fewest = Number.POSITIVE_INFINITY;
      // One look in a second is from the beginning: on a slow machine that may be every other one.
      for (let i = 0; i < 20 && fewest >= 1_500; i++)
        fewest = Math.min(fewest, await readBy(() => claim(q.queue, 200)));
      expect(fewest).toBeLessThan(1_500);
      const newcomer = createPostgresQueue(q.db, q.notifier, q.definitions, { pipelines: testPipelines });
      expect(await readBy(() => claim(newcomer, 500))).toBeGreaterThan(9_000);
    } finally {
      await old.query('rollback');
      await old.end();
    }
  });
});

describe('behind a mark', () => {
  test('a more urgent job is claimed first', async () => {
    await fill(200);
    await claim(q.queue, 100);
    await fill(1, 'now()', 5);
    expect((await claim(q.queue, 10))[0]?.job.priority).toBe(5);
    await fill(1, 'now()', 500);
    const rest = await claim(q.queue, 200);
    expect(rest).toHaveLength(92);
    expect(rest.at(-1)?.job.priority).toBe(500);
  });

  test('a job that was committed late is found, although its place was passed', async () => {
    await fill(200);
    await claim(q.queue, 100);
    await fill(1, `now() - interval '1 hour'`);
    const { rows } = await q.superuser.query(
      `select id from millrace.jobs where scheduled_for < now() - interval '1 minute'`,
    );
    const claimed: string[] = [];
    await waitFor(
      async () => {
        // There is always more after the mark: only the look from the beginning finds it.
        await fill(5);
        claimed.push(...(await claim(q.queue, 5)).map((item) => item.job.id));
        return claimed.includes(rows[0].id);
      },
      { describe: 'the late job to be claimed' },
    );
  });

  test('the last jobs of a lane are found by the claim that finds less than it asked for', async () => {
    await fill(100);
    expect(await claim(q.queue, 60)).toHaveLength(60);
    expect(await claim(q.queue, 60)).toHaveLength(40);
    expect(await claim(q.queue, 60)).toEqual([]);
    await fill(3);
    expect(await claim(q.queue, 60)).toHaveLength(3);
  });
});
