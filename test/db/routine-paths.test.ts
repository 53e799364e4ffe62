import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '../../src/db/migrate/migrate.ts';
import { openTestQueue, type TestQueue } from '../support/queue.ts';

let q: TestQueue;
beforeAll(async () => {
  q = await openTestQueue();
});
afterAll(() => q.close());

const SAFE = 'search_path=pg_catalog, pg_temp';

const names = async (sql: string): Promise<string[]> =>
  (await q.superuser.query(sql)).rows.map((row) => row.name);

describe('routines', () => {
  test('that run as their owner, and trigger functions, look into pg_catalog first and into the temporary schema last', async () => {
    const sql = `from pg_proc p where p.pronamespace = 'millrace'::regnamespace and (p.prosecdef or p.prorettype = 'trigger'::regtype)`;
    expect((await names(`select p.oid::text as name ${sql}`)).length).toBeGreaterThan(20);
    expect(
      await names(
        `select p.oid::regprocedure::text as name ${sql} and '${SAFE}' <> all (coalesce(p.proconfig, '{}'))`,
      ),
    ).toEqual([]);
  });

  test('that run as their owner see rows by their policies, whatever the session says', async () => {
    expect(
      await names(`select p.oid::regprocedure::text as name from pg_proc p
                   where p.pronamespace = 'millrace'::regnamespace and p.prosecdef and 'row_security=on' <> all (coalesce(p.proconfig, '{}'))`),
    ).toEqual([]);
  });

  test('have no other path than that one: an empty one leaves the temporary schema first', async () => {
    expect(
      await names(`select p.oid::regprocedure::text as name from pg_proc p cross join unnest(p.proconfig) c
                   where p.pronamespace = 'millrace'::regnamespace and c like 'search_path=%' and c <> '${SAFE}'`),
    ).toEqual([]);
  });

  test('that run as their owner are not for everybody', async () => {
    expect(
      await names(`select p.oid::regprocedure::text as name from pg_proc p
                   where p.pronamespace = 'millrace'::regnamespace and p.prosecdef and has_function_privilege('public', p.oid, 'execute')`),
    ).toEqual([]);
  });

  test('that policies, checks, indexes, defaults and views call were read when they were made, or have that path', async () => {
    expect(
      await names(`select distinct p.oid::regprocedure::text as name
                   from pg_depend d join pg_proc p on p.oid = d.refobjid
                   where d.refclassid = 'pg_proc'::regclass and p.pronamespace = 'millrace'::regnamespace
                     and d.classid in ('pg_policy'::regclass, 'pg_constraint'::regclass, 'pg_attrdef'::regclass, 'pg_rewrite'::regclass,
                                       'pg_class'::regclass)
                     and p.prosqlbody is null and '${SAFE}' <> all (coalesce(p.proconfig, '{}'))`),
    ).toEqual([]);
  });

  test('queue no trigger for the commit, where the path is the caller’s', async () => {
    expect(
      await names(`select t.tgname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
                   where c.relnamespace = 'millrace'::regnamespace and t.tgdeferrable and not t.tgisinternal`),
    ).toEqual([]);
  });
});

test('migrating takes the right to temporary objects from the public and from our roles, and leaves it to who was given it', async () => {
  const name = new URL(q.url).pathname.slice(1);
  const rights = async (): Promise<unknown> =>
    (
      await q.superuser.query(
        `select r as role from unnest(array['public', 'millrace_api', 'millrace_worker', 'millrace_admin', 'pg_monitor']) r
         where has_database_privilege(r, current_database(), 'TEMPORARY')`,
      )
    ).rows.map(({ role }) => role);
  await q.superuser.query(`grant temporary on database ${name} to public, millrace_worker, pg_monitor`);
  expect(await rights()).toContain('public');
  await migrate({ connectionString: q.url });
  expect(await rights()).toEqual(['pg_monitor']);
});
