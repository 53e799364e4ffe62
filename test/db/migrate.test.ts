import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, describe, expect, inject, test } from 'vitest';
import { Database } from '../../src/db/database.ts';
import { MIGRATIONS_URL } from '../../src/db/migrate/files.ts';
import { migrate } from '../../src/db/migrate/migrate.ts';

const made: string[] = [];
const folders: string[] = [];

async function onServer<T extends pg.QueryResultRow>(
  sql: string,
  url = inject('testServerUrl'),
): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** An empty database, owned by `owner` where one is named. */
async function emptyDatabase(owner?: string): Promise<string> {
  const name = `migrate_${randomBytes(5).toString('hex')}`;
  await onServer(`create database ${name}${owner === undefined ? '' : ` owner ${owner}`}`);
  made.push(name);
  return Object.assign(new URL(inject('testServerUrl')), { pathname: `/${name}` }).href;
}

/** An empty database of a login that is no superuser: its URL for the login, and for a superuser. */
async function databaseOf(login: string, rights: string): Promise<{ url: string }> {
  await onServer(`create role ${login} login ${rights} password 'test'`);
  const superuserUrl = await emptyDatabase(login);
  const url = Object.assign(new URL(superuserUrl), { username: login, password: 'test' }).href;
  return { url };
}

async function dropWithRoles(...roles: string[]): Promise<void> {
  for (const name of made.splice(0)) await onServer(`drop database ${name} with (force)`);
  await onServer(`drop role ${roles.join(', ')}`);
}

async function migrationsCopy(): Promise<{ url: URL; path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'millrace-migrations-'));
  folders.push(path);
  await cp(MIGRATIONS_URL, path, { recursive: true });
  return { path, url: pathToFileURL(`${path}/`) };
}

afterEach(async () => {
  for (const name of made.splice(0)) await onServer(`drop database ${name} with (force)`);
});
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

describe('migrate', () => {
  test('applies everything once, with the bookkeeping that Prisma expects', async () => {
    const url = await emptyDatabase();
    const first = await migrate({ connectionString: url });
    expect(first.applied.length).toBeGreaterThan(0);
    expect(first.routines.applied.length).toBeGreaterThan(100);
    expect(await migrate({ connectionString: url })).toEqual({
      applied: [],
      alreadyApplied: first.applied.length,
      routines: { applied: [], dropped: [] },
    });
    const rows = await onServer<{ checksum: string; applied_steps_count: number }>(
      'select * from public._prisma_migrations order by migration_name',
      url,
    );
    expect(rows.map((row) => row.applied_steps_count)).toEqual(first.applied.map(() => 1));
    for (const row of rows) expect(row.checksum).toMatch(/^[0-9a-f]{64}$/);
  });

  test('lets eight processes start at once: one applies, the others find it done', async () => {
    const url = await emptyDatabase();
    const results = await Promise.all(Array.from({ length: 8 }, () => migrate({ connectionString: url })));
    expect(results.filter((result) => result.applied.length > 0)).toHaveLength(1);
  });

  test('sets up several databases of one cluster at the same moment', async () => {
    const urls = await Promise.all([emptyDatabase(), emptyDatabase(), emptyDatabase()]);
    const prefix = `p${randomBytes(4).toString('hex')}`;
    await Promise.all(urls.map((connectionString) => migrate({ connectionString, rolePrefix: prefix })));
    const roles = await onServer(`select rolname from pg_roles where rolname like '${prefix}_%'`);
    expect(roles).toHaveLength(3);
    for (const name of made.splice(0)) await onServer(`drop database ${name} with (force)`);
    await onServer(`drop role ${prefix}_api, ${prefix}_worker, ${prefix}_admin`);
  });

  test('refuses an edited and a missing migration and changes nothing', async () => {
    const url = await emptyDatabase();
    const { path, url: folder } = await migrationsCopy();
    const { applied } = await migrate({ connectionString: url, folder });
    await writeFile(join(path, applied[0] as string, 'migration.sql'), 'select 1;');
    await expect(migrate({ connectionString: url, folder })).rejects.toMatchObject({
      code: 'MigrationEdited',
      details: { field: applied[0] },
    });
    await rm(join(path, applied[0] as string), { recursive: true });
    await expect(migrate({ connectionString: url, folder })).rejects.toMatchObject({
      code: 'MigrationEdited',
    });
  });

  test('rolls a failing migration back whole and goes on from there once it is corrected', async () => {
    const url = await emptyDatabase();
    const { path, url: folder } = await migrationsCopy();
    const name = '29990101000000_broken';
    await cp(join(path, '20261203000000_baseline'), join(path, name), { recursive: true });
    await writeFile(
      join(path, name, 'migration.sql'),
      'create table millrace.half (id int); select no_such_function();',
    );
    await expect(migrate({ connectionString: url, folder })).rejects.toThrow(
      /broken failed and was rolled back/,
    );
    expect(await onServer(`select 1 from pg_tables where tablename = 'half'`, url)).toEqual([]);
    await writeFile(join(path, name, 'migration.sql'), 'create table millrace.half (id int);');
    expect((await migrate({ connectionString: url, folder })).applied).toEqual([name]);
  });

  test('works for a login with CREATEROLE and CREATEDB that is no superuser, and forces row security on it', async () => {
    const login = `owner_${randomBytes(4).toString('hex')}`;
    const prefix = `q${randomBytes(4).toString('hex')}`;
    const { url } = await databaseOf(login, 'createrole createdb');
    await migrate({ connectionString: url, rolePrefix: prefix });
    // The owner of every table sees no row of its own accord, and the API role only its transaction's tenant.
    expect(await onServer('select count(*)::int as n from millrace.tenants', url)).toEqual([{ n: 0 }]);
    const db = new Database({
      connectionString: url,
      rolePrefix: prefix,
      maxConnections: 2,
      applicationName: 'millrace test',
      preparedStatements: true,
      onError: () => undefined,
    });
    const seen = async (role: 'api' | 'worker') =>
      db.transaction(
        { role },
        async (tx) => (await tx.client.query('select slug from millrace.tenants')).rows,
      );
    expect(await seen('worker')).toEqual([{ slug: 'system' }]);
    expect(await seen('api')).toEqual([]);
    await db.close();
    await dropWithRoles(`${prefix}_api`, `${prefix}_worker`, `${prefix}_admin`, login);
  });

  test('says what to do when the login may not create roles', async () => {
    const login = `plain_${randomBytes(4).toString('hex')}`;
    const { url } = await databaseOf(login, '');
    await expect(
      migrate({ connectionString: url, rolePrefix: `r${randomBytes(4).toString('hex')}` }),
    ).rejects.toThrow(/roles --sql/);
    await dropWithRoles(login);
  });
});
