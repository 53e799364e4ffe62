import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from './database.ts';

test('each test database is a migrated one of its own, and gone when dropped', async () => {
  const databases = await Promise.all([createTestDatabase(), createTestDatabase(), createTestDatabase()]);
  const [first, second] = databases as [TestDatabase, TestDatabase, TestDatabase];

  const firstClient = new pg.Client({ connectionString: first.url });
  await firstClient.connect();
  await firstClient.query('create table only_here ()');
  const secondClient = new pg.Client({ connectionString: second.url });
  await secondClient.connect();
  const { rows } = await secondClient.query(
    `select to_regclass('only_here') as other, to_regclass('millrace.jobs')::text as jobs`,
  );
  expect(rows).toEqual([{ other: null, jobs: 'millrace.jobs' }]);
  await firstClient.end();
  await secondClient.end();

  await Promise.all(databases.map((database) => database.drop()));
  await expect(new pg.Client({ connectionString: first.url }).connect()).rejects.toMatchObject({
    code: '3D000',
  });
});
