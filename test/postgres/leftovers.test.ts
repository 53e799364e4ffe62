import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../../src/postgres/cluster.ts';
import { query, removeDirectory, startHolder, temporaryDirectory, untilGone } from './scene.ts';

const log = (): void => {};

// One cluster for the file, made by its first test: what a start finds there is what each test is about.
let shared = '';
let dataDir = '';

beforeAll(async () => {
  shared = await temporaryDirectory();
  dataDir = join(shared, 'data');
});

afterAll(() => removeDirectory(shared));

async function startsWell(): Promise<Record<string, unknown>[]> {
  const cluster = await startEmbeddedPostgres({ dataDir, log });
  const rows = await query(cluster.url, `select to_regclass('kept')::text as kept`);
  await cluster.stop();
  expect((await readdir(dataDir)).sort()).toEqual(['cluster', 'password']);
  return rows;
}

test('SIGKILL of the owner: the next start stops the orphaned server first and has all data', async () => {
  const other = startHolder(dataDir);
  const { url, pid } = await other.said();
  await query(url, 'create table if not exists kept ()');
  await other.kill();
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]); // the orphan serves on

  expect(await startsWell()).toEqual([{ kept: 'kept' }]);
  await untilGone(pid);
});

test('SIGKILL of the postmaster and the owner, with sessions at work: the next start has all data', async () => {
  const other = startHolder(dataDir);
  const { url, pid } = await other.said();
  await query(url, 'create table if not exists kept ()');
  const busy = new pg.Client({ connectionString: url });
  busy.on('error', () => {});
  await busy.connect();
  const backend = await busy.query<{ pid: number }>('select pg_backend_pid() as pid');
  // It computes without ever looking up, so it does not notice that its postmaster is gone.
  const work = busy
    .query('select count(*) from generate_series(1, 1000000000)')
    .catch((error: unknown) => error);
  process.kill(pid, 'SIGKILL');
  await other.kill();
  await untilGone(pid);

  expect(await startsWell()).toEqual([{ kept: 'kept' }]);
  await untilGone(backend.rows[0]?.pid ?? 0);
  expect(await work).toBeInstanceOf(Error);
  await busy.end().catch(() => {});
});

test('Ctrl-C reaches the owner alone, and the server serves until the owner stops it', async () => {
  const other = startHolder(dataDir);
  const { pid } = await other.said();
  process.kill(-other.child.pid, 'SIGINT'); // what a terminal does: everyone in the group gets it
  expect(await other.said()).toMatchObject({ event: 'stopped', rows: [{ one: 1 }] });
  expect(await other.ended()).toBe(0);
  await untilGone(pid);
});

test('an owner that just exits takes the server with it', async () => {
  const other = startHolder(dataDir);
  const { pid } = await other.said();
  other.child.stdin?.write('exit\n');
  expect(await other.ended()).toBe(3);
  await untilGone(pid);
  expect(await startsWell()).toEqual([{ kept: 'kept' }]);
});

test('a postmaster.pid that is empty, or names a living stranger, does not block a start', async () => {
  const other = startHolder(dataDir);
  const { pid, dataDir: home } = await other.said();
  const pidFile = join(home, 'cluster', 'postmaster.pid');
  const content = await readFile(pidFile, 'utf8');
  process.kill(pid, 'SIGKILL');
  await other.kill();

  await writeFile(pidFile, content.replace(/^\d+/, String(process.pid)));
  await startsWell();
  await writeFile(pidFile, '');
  await startsWell();
});

test('data of another major version, a missing password and a foreign directory are refused with the reason', async () => {
  await startsWell();
  const version = join(dataDir, 'cluster', 'PG_VERSION');
  await writeFile(version, '17\n');
  await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toMatchObject({
    code: 'data_dir_other_version',
    details: { foundVersion: '17', neededVersion: '18' },
  });
  await writeFile(version, '18\n');
  await rm(join(dataDir, 'password'));
  await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toMatchObject({
    code: 'data_dir_incomplete',
  });

  await mkdir(join(dataDir, 'foreign', 'cluster'), { recursive: true });
  await expect(startEmbeddedPostgres({ dataDir: join(dataDir, 'foreign'), log })).rejects.toMatchObject({
    code: 'data_dir_incomplete',
  });
});
