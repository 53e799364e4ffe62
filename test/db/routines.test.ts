import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MigrateResult, migrate } from '../../src/db/migrate/migrate.ts';
import { ROUTINES_URL } from '../../src/db/migrate/routines/files.ts';
import { migrationStatus } from '../../src/db/migrate/status.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { connectSuperuser } from '../support/superuser.ts';

let database: TestDatabase;
let superuser: pg.Client;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  superuser = await connectSuperuser(database.url);
  folder = await mkdtemp(join(tmpdir(), 'millrace-routines-'));
  await cp(ROUTINES_URL, folder, { recursive: true });
  await mkdir(join(folder, 'mine'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await superuser.end();
  await database.drop();
});

const write = (path: string, text: string) => writeFile(join(folder, path), text);
const bringUp = async (): Promise<MigrateResult['routines']> =>
  (await migrate({ connectionString: database.url, routines: pathToFileURL(`${folder}/`) })).routines;
const answer = async (sql: string): Promise<unknown> =>
  Object.values((await superuser.query(sql)).rows[0] ?? {})[0];

describe('routines', () => {
  test('are applied when their file is new or has changed, and not otherwise', async () => {
    expect(await bringUp()).toEqual({ applied: [], dropped: [] });
    await write('mine/one.sql', 'create function millrace.one() returns integer language sql return 1;');
    expect(await bringUp()).toEqual({ applied: ['mine/one.sql'], dropped: [] });
    await write(
      'mine/one.sql',
      'create or replace function millrace.one() returns integer language sql return 2;',
    );
    expect(await bringUp()).toEqual({ applied: ['mine/one.sql'], dropped: [] });
    expect(await answer('select millrace.one()')).toBe(2);
    expect(await bringUp()).toEqual({ applied: [], dropped: [] });
  });

  test('are recreated with all that depends on them when they cannot be replaced, and others keep their right to call them', async () => {
    const role = `caller_${randomBytes(4).toString('hex')}`;
    await superuser.query(`create role ${role}`);
    await write(
      'mine/two.sql',
      '-- needs: one\ncreate or replace function millrace.two() returns text language sql return millrace.one()::text;',
    );
    await write(
      'mine/three.view.sql',
      'create or replace view millrace.three as select millrace.one() as x;',
    );
    await bringUp();
    await superuser.query(
      `revoke all on function millrace.one from public; grant execute on function millrace.one to ${role}`,
    );
    // Another result type, which CREATE OR REPLACE refuses.
    await write(
      'mine/one.sql',
      `create or replace function millrace.one() returns text language sql return 'one';`,
    );
    const { applied } = await bringUp();
    expect(applied).toEqual(expect.arrayContaining(['mine/one.sql', 'mine/two.sql', 'mine/three.view.sql']));
    expect(await answer('select millrace.two()')).toBe('one');
    expect(await answer('select x from millrace.three')).toBe('one');
    expect(await answer(`select has_function_privilege('${role}', 'millrace.one()', 'execute')`)).toBe(true);
    await superuser.query(`drop owned by ${role}; drop role ${role}`);
  });

  test('leave no overload behind when their parameters change', async () => {
    await write(
      'mine/four.sql',
      'create or replace function millrace.four(a integer) returns integer language sql return a;',
    );
    await bringUp();
    await write(
      'mine/four.sql',
      'create or replace function millrace.four(a text) returns text language sql return a;',
    );
    await bringUp();
    expect(
      await answer(`select string_agg(oid::regprocedure::text, ' ') from pg_proc where proname = 'four'`),
    ).toBe('millrace.four(text)');
  });

  test('are dropped when their file is gone, those that depend on each other too', async () => {
    for (const name of ['one', 'two', 'four']) await rm(join(folder, `mine/${name}.sql`));
    await rm(join(folder, 'mine/three.view.sql'));
    expect([...(await bringUp()).dropped].sort()).toEqual([
      'function four',
      'function one',
      'function two',
      'view three',
    ]);
    expect(await answer(`select count(*)::int from pg_proc where proname in ('one', 'two', 'four')`)).toBe(0);
  });

  test('are rolled back all together when one of them fails, which is named', async () => {
    await write('mine/good.sql', 'create function millrace.good() returns integer language sql return 1;');
    await write(
      'mine/later.sql',
      'create function millrace.later() returns integer language sql return no_such();',
    );
    await expect(bringUp()).rejects.toThrow(/mine\/later\.sql: function no_such\(\) does not exist/);
    expect(await answer(`select to_regproc('millrace.good')`)).toBe(null);
    await rm(join(folder, 'mine/good.sql'));
    await write('mine/later.sql', 'create function millrace.other() returns integer language sql return 1;');
    await expect(bringUp()).rejects.toThrow(/mine\/later\.sql made no function millrace\.later/);
    await rm(join(folder, 'mine/later.sql'));
  });

  test('that were changed or dropped in the database are reported and repaired', async () => {
    await superuser.query('alter function millrace.settle_runs reset plan_cache_mode');
    await superuser.query('drop trigger jobs_list on millrace.jobs');
    await superuser.query('drop policy admin on millrace.videos');
    const { routines } = await migrationStatus(database.url);
    const expected = [
      'access/row_security.policy.sql',
      'jobs/jobs_list.trigger.sql',
      'settle/settle_runs.sql',
    ];
    // In the order of what they need, which changes as routines do.
    expect(routines).toMatchObject({ pending: [], gone: [] });
    expect(routines.edited.toSorted()).toEqual(expected);
    expect((await bringUp()).applied.toSorted()).toEqual(expected);
    expect((await migrationStatus(database.url)).routines).toMatchObject({ pending: [], edited: [] });
  });

  test('run as psql would run them, but for the names of the roles', async () => {
    await write(
      'mine/granted.sql',
      'create function millrace.granted() returns integer language sql return 1;\ngrant execute on function millrace.granted to :"api";',
    );
    await bringUp();
    expect(
      await answer(`select has_function_privilege('millrace_api', 'millrace.granted()', 'execute')`),
    ).toBe(true);
    await rm(join(folder, 'mine/granted.sql'));
    await bringUp();
  });
});
