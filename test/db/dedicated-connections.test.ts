import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Database } from '../../src/db/database.ts';
import { type Statement, statement } from '../../src/db/statement.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { connectSuperuser } from '../support/superuser.ts';
import { waitFor } from '../support/wait.ts';

const often = statement('often', 'select pg_backend_pid() as pid', { dedicatedTo: 'often' });
const alsoOften = statement('also_often', 'select pg_backend_pid() as pid', { dedicatedTo: 'also_often' });
const seldom = statement('seldom', 'select pg_backend_pid() as pid');
const slow = statement('slow', 'select pg_sleep(0.2)::text, pg_backend_pid() as pid');

let server: TestDatabase;
let superuser: pg.Client;
beforeAll(async () => {
  server = await createTestDatabase();
  superuser = await connectSuperuser(server.url);
});
afterAll(async () => {
  await superuser.end();
  await server.drop();
});

interface Opened extends AsyncDisposable {
  readonly db: Database;
  readonly errors: readonly Error[];
  pid(stmt: Statement): Promise<number>;
}

function open(maxConnections: number): Opened {
  const errors: Error[] = [];
  const db = new Database({
    connectionString: server.url,
    rolePrefix: 'millrace',
    maxConnections,
    applicationName: 'millrace test',
    preparedStatements: true,
    onError: (error) => errors.push(error),
  });
  return {
    db,
    errors,
    pid: async (stmt) => (await db.asWorker<{ pid: number }>(stmt, [])).rows[0]?.pid ?? 0,
    [Symbol.asyncDispose]: () => db.close(),
  };
}

test('a statement that runs all the time keeps its connection, whatever runs beside it', async () => {
  await using opened = open(6);
  const [dedicatedTo, other] = await Promise.all([opened.pid(often), opened.pid(alsoOften)]);
  expect(other).not.toBe(dedicatedTo);
  for (let i = 0; i < 20; i++) {
    const [again, otherAgain, apart] = await Promise.all([
      opened.pid(often),
      opened.pid(alsoOften),
      opened.pid(i % 2 === 0 ? seldom : slow),
    ]);
    expect([again, otherAgain]).toEqual([dedicatedTo, other]);
    expect([dedicatedTo, other]).not.toContain(apart);
  }
});

test('a second run of it at the same time takes another connection', async () => {
  await using opened = open(6);
  const dedicatedTo = await opened.pid(often);
  const pids = await Promise.all([opened.pid(often), opened.pid(often), opened.pid(often)]);
  expect(new Set(pids).size).toBe(3);
  expect(pids[0]).toBe(dedicatedTo);
  expect(await opened.pid(often)).toBe(dedicatedTo);
});

test('a kept connection that breaks while nobody is at it fails no statement', async () => {
  await using opened = open(6);
  const dedicatedTo = await opened.pid(often);
  await superuser.query('select pg_terminate_backend($1)', [dedicatedTo]);
  await waitFor(() => opened.errors.length > 0, { describe: 'the end of the connection' });
  const next = await opened.pid(often);
  expect(next).not.toBe(dedicatedTo);
  expect(await opened.pid(often)).toBe(next);
});

test('one that breaks under a statement is not kept', async () => {
  await using opened = open(6);
  const cut = statement('cut', 'select pg_terminate_backend(pg_backend_pid()), pg_sleep(5)', {
    dedicatedTo: 'cut',
  });
  await expect(opened.db.asWorker(cut, [])).rejects.toThrow();
  await expect(opened.db.asWorker(cut, [])).rejects.toThrow();
  expect(await opened.pid(often)).toBeGreaterThan(0);
});

test('few connections are kept for nobody', async () => {
  await using opened = open(2);
  for (let i = 0; i < 3; i++) {
    const pids = await Promise.all([often, alsoOften, seldom, slow].map((stmt) => opened.pid(stmt)));
    expect(new Set(pids).size).toBe(2);
  }
});

test('closing waits for what is under way and gives the kept ones back', async () => {
  const opened = open(6);
  await opened.pid(often);
  const under = opened.db.asWorker(
    statement('slow_often', 'select pg_sleep(0.1)::text', { dedicatedTo: 'slow_often' }),
    [],
  );
  const again = opened.pid(often);
  await opened.db.close();
  await expect(under).resolves.toBeDefined();
  await expect(again).resolves.toBeGreaterThan(0);
  const sessions = async (): Promise<number | null> =>
    (
      await superuser.query(
        `select from pg_stat_activity where datname = current_database() and application_name = 'millrace test'`,
      )
    ).rowCount;
  await waitFor(async () => (await sessions()) === 0, { describe: 'the end of its sessions' });
});
