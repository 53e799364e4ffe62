import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MIGRATIONS_URL } from '../../src/db/migrate/files.ts';
import { migrate } from '../../src/db/migrate/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait.ts';

let database: TestDatabase;
let folder: string;
let client: pg.Client;
const NAME = '29990101000000_concurrent';

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  folder = await mkdtemp(join(tmpdir(), 'millrace-migrations-'));
  await cp(MIGRATIONS_URL, folder, { recursive: true });
  await mkdir(join(folder, NAME));
  await writeFile(
    join(folder, NAME, 'migration.sql'),
    `-- Beside the work; twice.
drop index concurrently if exists millrace.tenants_name_idx;
create index concurrently tenants_name_idx on millrace.tenants (name);
`,
  );
});
afterAll(async () => {
  await client.end();
  await rm(folder, { recursive: true });
  await database.drop();
});

test('an index is built beside what goes on: it waits for an open reader, nobody waits for it, and one that was half built is rebuilt', async () => {
  const reader = new pg.Client({ connectionString: database.url });
  await reader.connect();
  try {
    await client.query(`insert into millrace.tenants (slug, name) values ('one', 'same'), ('two', 'same')`);
    // As a build that failed half-way leaves it.
    await expect(
      client.query('create unique index concurrently tenants_name_idx on millrace.tenants (name)'),
    ).rejects.toThrow('could not create unique index');
    await reader.query('begin isolation level repeatable read');
    await reader.query('select count(*) from millrace.tenants');
    const url = pathToFileURL(`${folder}/`);
    // Two at once: the one that waits for its turn is no transaction that the build would wait for.
    const migrating = Promise.all([1, 2].map(() => migrate({ connectionString: database.url, folder: url })));
    await waitFor(
      async () =>
        (
          await client.query(
            `select from pg_stat_activity where query like '%index concurrently%' and wait_event_type = 'Lock' and datname = current_database()`,
          )
        ).rowCount === 1,
      { describe: 'the build to wait for the reader' },
    );
    await client.query(`set statement_timeout = '100s'`);
    await client.query(`insert into millrace.tenants (slug, name) values ('three', 'three')`);
    await client.query(`update millrace.tenants set name = 'other' where slug = 'three'`);
    await reader.query('rollback');
    const results = await migrating;
    expect(results.flatMap(({ applied }) => applied)).toEqual([NAME]);
    const { rows } = await client.query(
      `select indisvalid, indisunique from pg_index where indexrelid = 'millrace.tenants_name_idx'::regclass`,
    );
    expect(rows).toEqual([{ indisvalid: true, indisunique: false }]);
  } finally {
    await reader.end();
  }
});
