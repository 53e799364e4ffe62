import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JobStatus } from '../../src/core/job.ts';
import type { IdBound, JobConditions, WalkSource } from '../../src/db/job-walk-parts.ts';
import type { ReadTransaction } from '../../src/db/prisma.ts';
import { findListedJobs } from '../../src/db/sql/read/find-listed-jobs.ts';
import { findWalkEnd } from '../../src/db/sql/read/find-walk-end.ts';
import { walkJobs } from '../../src/jobs/walk-jobs.ts';
import { openTestQueue, type TestQueue } from '../support/queue.ts';

// A tenant's jobs in their order stand in a table of their own, `tenant_jobs`, whatever puts them in or
// deletes them.

let q: TestQueue;
let tenants: readonly string[];

beforeAll(async () => {
  q = await openTestQueue();
  tenants = [await q.makeTenant(), await q.makeTenant(), await q.makeTenant()];
});
beforeEach(() => q.clear());
afterAll(() => q.close());

const JOBS = 'select tenant_id, id as job_id from millrace.jobs order by tenant_id, id';
const LISTED = 'select tenant_id, job_id from millrace.tenant_jobs order by tenant_id, job_id';
const rows = async (sql: string, values: unknown[] = []) => (await q.superuser.query(sql, values)).rows;

async function expectListed(count: number): Promise<void> {
  const jobs = await rows(JOBS);
  expect(jobs).toHaveLength(count);
  expect(await rows(LISTED)).toEqual(jobs);
}

async function insert(tenantId: string, count: number): Promise<void> {
  await rows(
    'insert into millrace.jobs (tenant_id, definition_id) select $1, $2 from generate_series(1, $3::integer)',
    [tenantId, q.definitionId('alpha'), count],
  );
}

test('whatever is put in and deleted, the list has the jobs that there are', async () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('enqueue' as const),
      tenant: fc.nat(2),
      count: fc.integer({ min: 1, max: 40 }),
    }),
    fc.record({
      kind: fc.constant('insert' as const),
      tenant: fc.nat(2),
      count: fc.integer({ min: 0, max: 40 }),
    }),
    fc.record({ kind: fc.constant('call' as const), tenant: fc.nat(2) }),
    fc.record({ kind: fc.constant('undo' as const), tenant: fc.nat(2) }),
    fc.record({ kind: fc.constant('delete' as const), every: fc.integer({ min: 1, max: 4 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      await q.clear();
      for (const one of steps) {
        if (one.kind === 'delete') {
          await rows(
            `delete from millrace.jobs where id in (select id from (
               select id, row_number() over (order by id) as n from millrace.jobs) j where n % $1 = 0)`,
            [one.every],
          );
          continue;
        }
        const tenantId = tenants[one.tenant] ?? '';
        if (one.kind === 'enqueue') {
          const inputs = Array.from({ length: one.count }, () => ({ definitionKey: 'alpha', payload: {} }));
          await q.queue.enqueue(tenantId, inputs);
        } else if (one.kind === 'insert') {
          await insert(tenantId, one.count);
        } else if (one.kind === 'call') {
          await rows(`select millrace.enqueue('alpha', tenant => $1, dedupe_key => 'once')`, [tenantId]);
        } else {
          await q.superuser.query('begin');
          await insert(tenantId, 5);
          await q.superuser.query('rollback');
        }
      }
      const jobs = await rows(JOBS);
      expect(await rows(LISTED)).toEqual(jobs);
    }),
    { numRuns: 30 },
  );
});

test('TRUNCATE of the jobs empties the list, too', async () => {
  await insert(tenants[0] ?? '', 3);
  await rows('truncate millrace.jobs cascade');
  await expectListed(0);
});

test('20,000 jobs are deleted in moments, also where the plan was made for a handful', async () => {
  await insert(tenants[0] ?? '', 3);
  for (let i = 0; i < 8; i++) {
    await insert(tenants[0] ?? '', 1);
    await rows('delete from millrace.jobs where id = (select min(id::text)::uuid from millrace.jobs)');
  }
  await insert(tenants[1] ?? '', 20_000);
  const { rows: plan } = await q.superuser.query('explain (analyze, format json) delete from millrace.jobs');
  await expectListed(0);
  // A probe each takes 0.2 s; all rows for each row, a minute and more.
  expect(plan[0]['QUERY PLAN'][0]['Execution Time']).toBeLessThan(10_000);
});

// Ages in minutes; ends before the job was made, soon after, and over an hour after; ids that say nothing of
// a time.
const VARIED = `
insert into millrace.jobs (id, tenant_id, definition_id, status, scheduled_for, pending_dependencies, finished_at, lease_token, lease_expires_at)
select case when k % 11 = 0 then gen_random_uuid() else uuidv7(make_interval(mins => -a.age)) end, $1, ($2::uuid[])[1 + k % 2], s.status,
  now() + case when k % 3 = 0 then interval '1 day' else interval '0' end, case when s.status = 'queued' and k % 5 = 0 then 1 else 0 end,
  case when s.status not in ('queued', 'running') then now() - make_interval(mins => a.age)
    + (array[interval '-3 hours', '1 second', '20 minutes', '3 hours', '0'])[1 + k % 5] end,
  case when s.status = 'running' then gen_random_uuid() end, case when s.status = 'running' then now() + interval '1 hour' end
from generate_series(1, 160) k
cross join lateral (select k * 37 % 600 as age) a
cross join lateral (select (array['queued', 'queued', 'running', 'succeeded', 'succeeded', 'succeeded', 'failed'])[1 + k % 7] as status) s`;

test('a filtered list has the same jobs in the same order from each source, page by page, and none twice', async () => {
  const [tenantId = ''] = tenants;
  const definitions = [q.definitionId('alpha'), q.definitionId('beta')];
  await rows(VARIED, [tenantId, definitions]);
  const jobs = await rows('select id, status, definition_id, finished_at from millrace.jobs order by id');
  const hoursAgo = (hours: number | null) =>
    hours === null ? null : new Date(Date.now() - hours * 3_600_000);
  const hours = fc.option(fc.integer({ min: 0, max: 10 }), { nil: null });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom<readonly WalkSource[]>(['merged', 'active'], ['near', 'finished']),
      fc.subarray<JobStatus>(['queued', 'running', 'failed'], { minLength: 1 }),
      fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
      fc.option(fc.subarray(definitions, { minLength: 1 }), { nil: null }),
      hours,
      hours,
      async ([first, second], asked, direction, definitionIds, after, before) => {
        const ofActive = first === 'merged';
        const statuses = ofActive ? [...new Set<JobStatus>(['queued', ...asked])] : null;
        const [finishedAfter, finishedBefore] = ofActive
          ? [null, null]
          : [hoursAgo(after ?? (before === null ? 5 : null)), hoursAgo(before)];
        const conditions = { tenantId, direction, statuses, definitionIds, finishedAfter, finishedBefore };
        const expected = jobs
          .filter(
            ({ status, definition_id, finished_at }) =>
              (statuses === null ? finished_at !== null : statuses.includes(status)) &&
              (definitionIds === null || definitionIds.includes(definition_id)) &&
              (finishedAfter === null || finished_at >= finishedAfter) &&
              (finishedBefore === null || finished_at < finishedBefore),
          )
          .map(({ id }) => id);
        if (direction === 'desc') expected.reverse();
        for (const source of [first, second] as WalkSource[])
          expect([source, await walked(source, conditions)]).toEqual([source, expected]);
      },
    ),
    { numRuns: 40 },
  );
});

/** All that a source finds, in pages of five that look at seven. */
async function walked(source: WalkSource, conditions: Omit<JobConditions, 'idBounds'>): Promise<string[]> {
  const found: string[] = [];
  const read = async ({ statement, values }: ReturnType<typeof findWalkEnd>) =>
    await rows(statement.text, [...values]);
  for (let last: string | undefined; ; ) {
    const operator: IdBound['operator'] = conditions.direction === 'asc' ? '>' : '<';
    const asked = { ...conditions, idBounds: last === undefined ? [] : [{ operator, id: last }] };
    const page = await read(findListedJobs(source, asked, { take: 5, budget: 7, columns: 'j.id' }));
    found.push(...page.map(({ id }) => id));
    last = page.length === 5 ? page[4]?.id : (await read(findWalkEnd(source, asked, 7)))[0]?.id;
    if (last === undefined) return found;
  }
}

test('the pages of many ready jobs are gapless and in order, whatever else the tenant has and is asked for', async () => {
  const [tenantId = ''] = tenants;
  const definitions = [q.definitionId('alpha'), q.definitionId('beta')];
  // Of 2,200 jobs 1,571 are ready: more than are gathered without need. Those of the middle are all but over.
  await rows(
    `insert into millrace.jobs (tenant_id, definition_id, status, finished_at, created_by)
     select $1, ($2::uuid[])[1 + k % 2], s.status, case when s.status = 'succeeded' then now() end, 'user:u' || k % 13
     from generate_series(1, 2200) k
     cross join lateral (select case when k % 7 < 2 or k between 300 and 700 and k % 40 > 0 then 'succeeded' else 'queued' end as status) s`,
    [tenantId, definitions],
  );
  const jobs = await rows(
    `select id, definition_id, created_by from millrace.jobs where status = 'queued' order by id`,
  );
  const reads = {
    query: ({ text }: { readonly text: string }, values: unknown[]) => rows(text, values),
  } as unknown as ReadTransaction;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
      fc.option(fc.subarray(definitions, { minLength: 1 }), { nil: null }),
      fc.option(fc.constantFrom('user:u3', 'user:nobody'), { nil: null }),
      fc.integer({ min: 60, max: 700 }),
      async (direction, definitionIds, creator, take) => {
        const creators = creator === null ? [] : [creator];
        const expected = jobs
          .filter(
            ({ definition_id, created_by }) =>
              (definitionIds === null || definitionIds.includes(definition_id)) &&
              (creator === null || created_by === creator),
          )
          .map(({ id }) => id);
        if (direction === 'desc') expected.reverse();
        const found: string[] = [];
        for (let idBounds: IdBound[] = []; ; ) {
          const conditions = {
            tenantId,
            direction,
            idBounds,
            statuses: ['queued'] as const,
            definitionIds,
            creators,
          };
          const page = await walkJobs(reads, conditions, { take, columns: 'j.id' });
          found.push(...page.rows.map(({ id }) => id));
          expect(page.stoppedAt).toBeNull();
          const last = page.rows.at(-1)?.id;
          if (page.rows.length < take || last === undefined) break;
          idBounds = [{ operator: direction === 'asc' ? '>' : '<', id: last }];
        }
        expect(found).toEqual(expected);
      },
    ),
    { numRuns: 25 },
  );
});

describe('row security', () => {
  test('shows the API a tenant its own list only, and lets it write none', async () => {
    await insert(tenants[0] ?? '', 2);
    await insert(tenants[1] ?? '', 3);
    const asApi = async (sql: string) => {
      await q.superuser.query('begin');
      try {
        await q.superuser.query(`select set_config('millrace.tenant_id', $1, true)`, [tenants[1]]);
        await q.superuser.query('set local role millrace_api');
        return await rows(sql);
      } finally {
        await q.superuser.query('rollback');
      }
    };
    const seen = await asApi(LISTED);
    expect(seen.map(({ tenant_id }) => tenant_id)).toEqual(Array(3).fill(tenants[1]));
    await expect(
      asApi(`insert into millrace.tenant_jobs values ('${tenants[1]}', uuidv7()) returning *`),
    ).rejects.toThrow('permission denied for table tenant_jobs');
    await expect(asApi('delete from millrace.tenant_jobs returning *')).rejects.toThrow('permission denied');
  });

  test('a tenant with jobs is not deleted', async () => {
    const tenantId = await q.makeTenant();
    await insert(tenantId, 1);
    await expect(rows('delete from millrace.tenants where id = $1', [tenantId])).rejects.toThrow(
      'still has jobs',
    );
    await rows('delete from millrace.jobs');
    await rows('delete from millrace.tenants where id = $1', [tenantId]);
  });
});
