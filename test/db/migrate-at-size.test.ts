import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { splitMigration } from '../../src/db/migrate/late-indexes.ts';
import { migrate } from '../../src/db/migrate/migrate.ts';
import { watchLateness } from '../support/lateness.ts';
import { enqueueDuring, makeOldDatabase } from '../support/old-database.ts';

const JOBS = 60_000;
/**
 * A wait for a table ends after 100 ms; as long as it may last the enqueues behind it wait too. The figure
 * itself, 250 ms at most, is that of `npm run bench -- migrate-size`: here other tests run beside, whose
 * delay of the same time is added, and two seconds, which the wait once was allowed, would show.
 */
const ALLOWED_MS = 700;

const name = `old_${randomBytes(6).toString('hex')}`;
const url = Object.assign(new URL(inject('testServerUrl')), { pathname: `/${name}` }).href;
let server: pg.Client;

beforeAll(async () => {
  server = new pg.Client({ connectionString: inject('testServerUrl') });
  await server.connect();
  await server.query(`create database ${name}`);
});
afterAll(async () => {
  await server.query(`drop database if exists ${name} with (force)`);
  await server.end();
});

test('every migration since the first goes over a database with jobs while others put jobs in and one reads for long', async () => {
  await makeOldDatabase(url, JOBS);
  const reader = new pg.Client({ connectionString: url });
  await reader.connect();
  await reader.query('begin');
  await reader.query('select count(*) from millrace.jobs');
  const waited: string[] = [];
  const lateness = await watchLateness(inject('testServerUrl'));
  const figures = await enqueueDuring(url, async () => {
    const migrating = migrate({
      connectionString: url,
      log: (line) => {
        // Somebody else's long transaction, which a migration asks for again and again, never for longer than
        // it may hold up others.
        if (/waits for/.test(line) && waited.push(line) === 2) void reader.query('rollback');
      },
    });
    await migrating;
  });
  await reader.end();
  expect(waited.length).toBeGreaterThanOrEqual(2);
  expect(figures.count).toBeGreaterThan(50);
  process.stdout.write(
    `${figures.count} enqueued during all migrations; blocked for ${Math.round(figures.longestBlockedMs)} ms at most\n`,
  );
  expect(figures.longestBlockedMs).toBeLessThan(ALLOWED_MS + (await lateness.allowanceMs()));
});

test('a migration’s indexes of tables that are there already are built after it; those of its own tables within it', () => {
  const sql = `alter table millrace.jobs add column a uuid;
create unique index jobs_a_idx on millrace.jobs (a)
  where a is not null;
create table millrace.made (a uuid);
create index made_a_idx on millrace.made (a);
`;
  const { rest, indexes } = splitMigration(sql);
  expect(indexes).toEqual([
    'drop index concurrently if exists millrace.jobs_a_idx',
    'create unique index concurrently jobs_a_idx on millrace.jobs (a)\n  where a is not null',
  ]);
  expect(rest).toContain('made_a_idx');
  expect(rest).not.toContain('jobs_a_idx');
  expect(
    splitMigration('create function f() as $$ begin end $$;\ncreate index x on millrace.jobs (a);').indexes,
  ).toEqual([]);
});
