import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RoleKind } from '../../src/db/roles.ts';
import { openTestQueue, type TestQueue } from '../support/queue.ts';

let q: TestQueue;
let ours: string;
let theirs: string;
beforeAll(async () => {
  q = await openTestQueue();
  [ours, theirs] = [await q.makeTenant(), await q.makeTenant()];
  await q.queue.enqueue(ours, [{ definitionKey: 'alpha', payload: 'ours' }]);
  await q.queue.enqueue(theirs, [{ definitionKey: 'alpha', payload: 'theirs' }]);
});
afterAll(() => q.close());

const run = (role: RoleKind, sql: string, tenantId?: string) =>
  q.db.transaction(
    { role, ...(tenantId === undefined ? {} : { tenantId }) },
    async (tx) => (await tx.client.query(sql)).rows,
  );

describe('row security', () => {
  test('covers every table with a tenant in it, forced, with a policy for each role', async () => {
    const { rows } = await q.superuser.query(`
      select c.relname, c.relrowsecurity, c.relforcerowsecurity,
             (select count(*)::int from pg_policy p where p.polrelid = c.oid) as policies
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'millrace' and c.relkind = 'r'
        and (c.relname = 'tenants' or exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id'))`);
    expect(rows.length).toBeGreaterThanOrEqual(10);
    for (const row of rows)
      expect(row).toMatchObject({
        relrowsecurity: true,
        relforcerowsecurity: true,
        // Logins with SQL may insert links of their transaction's tenant, where a grant lets them; the worker
        // deletes no young audit entry.
        policies: ['links', 'audit_log'].includes(row.relname) ? 4 : 3,
      });
  });

  test('shows the API one tenant only, and none without a tenant', async () => {
    expect(await run('api', 'select payload from millrace.jobs', ours)).toEqual([{ payload: 'ours' }]);
    expect(await run('api', 'select payload from millrace.jobs')).toEqual([]);
  });

  test('lets the API write into no other tenant', async () => {
    const insert = `insert into millrace.jobs (tenant_id, definition_id) values ('${theirs}', '${q.definitionId('alpha')}')`;
    await expect(run('api', insert, ours)).rejects.toMatchObject({ code: '42501' });
    expect(
      await run(
        'api',
        `update millrace.jobs set priority = 1 where tenant_id = '${theirs}' returning id`,
        ours,
      ),
    ).toEqual([]);
    await expect(run('api', `update millrace.jobs set tenant_id = '${theirs}'`, ours)).rejects.toMatchObject({
      code: expect.stringMatching(/42501|23514/),
    });
  });

  test('lets the admin role read across tenants and write nothing', async () => {
    expect(await run('admin', 'select payload from millrace.jobs')).toHaveLength(2);
    await expect(run('admin', 'update millrace.jobs set priority = 1')).rejects.toMatchObject({
      code: '42501',
    });
  });

  test('never leaks the tenant of one transaction into the next on the same connection', async () => {
    for (let i = 0; i < 20; i++) await run('api', 'select 1', ours);
    expect(await run('api', 'select payload from millrace.jobs')).toEqual([]);
  });

  test('reads jobs of a tenant through an index under the API role', async () => {
    await q.superuser.query(
      `insert into millrace.jobs (tenant_id, definition_id) select $1, $2 from generate_series(1, 5000)`,
      [theirs, q.definitionId('alpha')],
    );
    await q.superuser.query('analyze millrace.jobs');
    const plan = await run(
      'api',
      `explain (costs off) select * from millrace.jobs where status = 'queued' order by id desc limit 50`,
      ours,
    );
    expect(JSON.stringify(plan)).toMatch(/Index (Only )?Scan/);
  });

  test('gives no login rights to the three roles', async () => {
    const { rows } = await q.superuser.query(
      `select rolname, rolcanlogin, rolsuper, rolbypassrls from pg_roles where rolname like 'millrace\\_%'`,
    );
    expect(rows).toHaveLength(3);
    for (const row of rows)
      expect(row).toMatchObject({ rolcanlogin: false, rolsuper: false, rolbypassrls: false });
  });
});
