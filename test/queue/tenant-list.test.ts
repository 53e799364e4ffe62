import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestQueue, type TestQueue } from '../support/queue.ts';

// A tenant's jobs in their order stand in a table of their own, `tenant_jobs`, whatever puts them in or deletes them.

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

test('TRUNCATE empties it', async () => {
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
