import { randomBytes } from 'node:crypto';
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
const NAME = '29990101000000_new_column';
const COLUMN = `c_${randomBytes(4).toString('hex')}`;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'millrace-migrations-'));
  await cp(MIGRATIONS_URL, folder, { recursive: true });
  await mkdir(join(folder, NAME));
  await writeFile(
    join(folder, NAME, 'migration.sql'),
    `alter table millrace.jobs add column ${COLUMN} integer;`,
  );
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.drop();
});

async function connected(name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url, application_name: name });
  await client.connect();
  return client;
}

const options = () => ({ connectionString: database.url, folder: pathToFileURL(`${folder}/`) });

test('a migration behind a reader gives up after a moment, lets others pass, says whom it waits for, and goes on once it has gone', async () => {
  const reader = await connected('a report');
  const passer = await connected('passer');
  const lines: string[] = [];
  try {
    await reader.query('begin isolation level repeatable read');
    await reader.query('select count(*) from millrace.jobs');
    const migrating = migrate({ ...options(), log: (line) => lines.push(line) });
    await waitFor(() => lines.some((line) => line.includes('waits for')), {
      describe: 'the line that says who is in the way',
    });
    expect(lines.find((line) => line.includes('waits for'))).toMatch(
      /process \d+ \(postgres, a report; idle in transaction, its transaction open for \d+ s\)/,
    );
    // Others come through while it pauses, and behind each of its tries wait no longer than that.
    await passer.query(`set statement_timeout = '100s'`);
    for (let look = 0; look < 3; look++) await passer.query('select count(*) from millrace.jobs');
    await reader.query('rollback');
    expect((await migrating).applied).toEqual([NAME]);
  } finally {
    await reader.end();
    await passer.end();
  }
});

test('it gives up for good after its time, naming who is in the way', async () => {
  const name = '29990101000001_another_column';
  await mkdir(join(folder, name));
  await writeFile(
    join(folder, name, 'migration.sql'),
    `alter table millrace.jobs add column ${COLUMN}_2 integer;`,
  );
  const reader = await connected('a report');
  try {
    await reader.query('begin');
    await reader.query('select count(*) from millrace.jobs');
    await expect(migrate({ ...options(), maxWaitMs: 100 })).rejects.toMatchObject({
      code: 'Busy',
      message: expect.stringContaining('a report'),
      details: { field: name },
    });
  } finally {
    await reader.end();
  }
});
