import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestQueue, type TestQueue } from '../support/queue.ts';

// What a claim costs, in pages that it touches: the time of a busy machine says nothing.

let q: TestQueue;
let worker: pg.Client;
let tenantId: string;
beforeAll(async () => {
  q = await openTestQueue();
  worker = await openWorkerSession();
});
beforeEach(async () => {
  await q.superuser.query(
    `truncate millrace.jobs, millrace.limit_gates cascade; delete from millrace.tenants where slug like 'many-%';
     update millrace.job_definitions set max_running = null, paused_at = null`,
  );
  tenantId = await q.makeTenant();
  // As a table is that has been in use: what autovacuum does otherwise at any moment is done here.
  await q.superuser.query(`alter table millrace.jobs set (autovacuum_enabled = off)`);
});
afterAll(async () => {
  await worker.end();
  await q.close();
});

async function openWorkerSession(): Promise<pg.Client> {
  const session = new pg.Client({ connectionString: q.url });
  await session.connect();
  await session.query(
    `select set_config('role', 'millrace_worker', false), set_config('millrace.notify', 'after_commit', false),
            set_config('enable_seqscan', 'off', false)`,
  );
  return session;
}

const fill = (key: string, count: number, columns = '', values = '') =>
  q.superuser.query(
    `insert into millrace.jobs (tenant_id, definition_id ${columns}) select $1, $2 ${values} from generate_series(1, $3) n`,
    [tenantId, q.definitionId(key), count],
  );

/** Claims one job and returns how many pages that touched. */
async function pagesOfClaim(
  keys: readonly string[],
  session = worker,
): Promise<{ readonly claimed: number; readonly pages: number }> {
  const ids = keys.map((key) => `'${q.definitionId(key)}'`).join(', ');
  const { rows } = await session.query(
    `explain (analyze, buffers, format json)
     select * from millrace.claim_jobs('w', array[${ids}]::uuid[], 1, 0, '{}', null, null, 0, 32, null, null, null, null, null, null, true)`,
  );
  const plan = rows[0]['QUERY PLAN'][0].Plan;
  return {
    // One row more says where the next claim goes on.
    claimed: Math.max(0, plan['Actual Rows'] - 1),
    pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
  };
}

/** Of several, so that a page split or a first touch does not count. */
async function usualPages(keys: readonly string[]): Promise<number> {
  const pages: number[] = [];
  for (let i = 0; i < 7; i++) {
    const claim = await pagesOfClaim(keys);
    expect(claim.claimed).toBe(1);
    pages.push(claim.pages);
  }
  return pages.sort((a, b) => a - b)[3] as number;
}

describe('a claim touches hardly more pages when 6,000 jobs of another definition in the same tenant', () => {
  const both = ['alpha', 'beta'];
  test.each([
    ['are not served by this worker', ['beta'], '', '', null],
    ['are paused', both, '', '', `update millrace.job_definitions set paused_at = now() where key = 'alpha'`],
    [
      'are at their limit',
      both,
      '',
      '',
      `update millrace.job_definitions set max_running = 1 where key = 'alpha'`,
    ],
    ['wait for parents', both, ', pending_dependencies', ', 1', null],
    ['are as ready', both, '', '', null],
    ['lie in the future', both, ', scheduled_for, priority', `, now() + interval '1 day', n % 50`, null],
  ])('%s', async (_how, keys, columns, values, sql) => {
    await fill('beta', 30);
    await usualPages(keys);
    const before = await usualPages(keys);
    await fill('alpha', 6_000, columns, values);
    if (sql !== null) await q.superuser.query(sql);
    if (sql?.includes('max_running') === true) {
      await q.superuser.query(
        `update millrace.jobs set status = 'running', run_no = 1, lease_token = gen_random_uuid(), lease_expires_at = now() + interval '1 hour'
         where id = (select id from millrace.jobs where definition_id = $1 limit 1)`,
        [q.definitionId('alpha')],
      );
    }
    await q.superuser.query('analyze millrace.jobs');
    // 50 priorities of tomorrow are stepped over one by one, twice: two or three pages each.
    expect((await usualPages(keys)) - before).toBeLessThan(columns.includes('priority') ? 400 : 60);
  });
});

test('a claim whose plan was made while there was nothing, or before statistics were taken, does not read all that is ready', async () => {
  for (const already of [0, 3_000]) {
    await q.superuser.query('truncate millrace.jobs cascade');
    await fill('alpha', already);
    const fresh = await openWorkerSession();
    try {
      await pagesOfClaim(['alpha', 'beta'], fresh);
      await fill('alpha', 6_000);
      // The first that finds anything plans the rest of its statements, for which it reads the catalogue.
      await pagesOfClaim(['alpha', 'beta'], fresh);
      expect((await pagesOfClaim(['alpha', 'beta'], fresh)).pages).toBeLessThan(60);
    } finally {
      await fresh.end();
    }
  }
});

describe('a claim goes past 1,000 tenants that have nothing for it with a few pages each', () => {
  test.each([
    ['only future jobs', `now() + interval '1 day'`, null],
    ['a pause', 'now()', `update millrace.tenants set paused_at = now() where slug like 'many-%'`],
    [
      'all that they may run running',
      'now()',
      `update millrace.tenants set max_running = 1 where slug like 'many-%'`,
    ],
  ])('%s', async (_what, time, sql) => {
    await q.superuser.query(
      `insert into millrace.tenants (slug, name) select 'many-' || g, 'x' from generate_series(1, 1000) g`,
    );
    await q.superuser.query(
      `insert into millrace.jobs (tenant_id, definition_id, scheduled_for)
       select t.id, $1, ${time} from millrace.tenants t, generate_series(1, 2) where t.slug like 'many-%'`,
      [q.definitionId('alpha')],
    );
    if (sql !== null) await q.superuser.query(sql);
    if (sql?.includes('max_running') === true) {
      await q.superuser.query(
        `update millrace.jobs set status = 'running', run_no = 1, lease_token = gen_random_uuid(), lease_expires_at = now() + interval '1 hour'
         where id in (select distinct on (tenant_id) id from millrace.jobs)`,
      );
    }
    await q.superuser.query('analyze millrace.jobs, millrace.tenants');
    await fill('beta', 3);
    await pagesOfClaim(['alpha', 'beta']);
    const { claimed, pages } = await pagesOfClaim(['alpha', 'beta']);
    expect(claimed).toBe(1);
    expect(pages).toBeLessThan(25_000);
  });
});
