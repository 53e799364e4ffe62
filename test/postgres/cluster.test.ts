import { readdir, readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../../src/postgres/cluster.ts';
import { waitFor } from '../support/wait.ts';
import { makeDirectory, query, removeDirectory, startHolder, temporaryDirectory } from './scene.ts';

const log = (): void => {};

// For the tests that do not care whether it is a first start: making a cluster is what takes time.
let shared = '';
let dataDir = '';

beforeAll(async () => {
  shared = await temporaryDirectory();
  dataDir = join(shared, 'data');
});

afterAll(() => removeDirectory(shared));

test('a first start makes a durable UTF-8 cluster with a secret password, a later one finds its data', async () => {
  const dataDir = join(await makeDirectory(), 'data');
  const first = await startEmbeddedPostgres({ dataDir, log });
  const rows = await query(
    first.url,
    `select current_setting('server_version_num')::int / 10000 as major, current_setting('fsync') as fsync,
            current_setting('synchronous_commit') as synchronous_commit, current_setting('listen_addresses') as listens,
            current_setting('full_page_writes') as full_page_writes, current_setting('TimeZone') as time_zone,
            pg_encoding_to_char(encoding) as encoding, datlocprovider as provider, datlocale as locale, datname as name
       from pg_database where datname = current_database()`,
  );
  expect(rows).toEqual([
    {
      major: 18,
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      listens: '127.0.0.1',
      time_zone: 'UTC',
      encoding: 'UTF8',
      provider: 'b',
      locale: 'C.UTF-8',
      name: 'millrace',
    },
  ]);
  await query(first.url, `create table kept as select 'schön' as word`);
  await first.stop();

  expect((await stat(join(dataDir, 'password'))).mode & 0o777).toBe(0o600);
  expect(first.url).toContain((await readFile(join(dataDir, 'password'), 'utf8')).trim());

  const second = await startEmbeddedPostgres({ dataDir, log });
  expect(await query(second.url, 'select word from kept')).toEqual([{ word: 'schön' }]);
  const withoutPassword = new pg.Client({ connectionString: second.url.replace(/:\w+@/, ':wrong@') });
  await expect(withoutPassword.connect()).rejects.toMatchObject({ code: '28P01' });
  await second.stop();
  expect((await readdir(dataDir)).sort()).toEqual(['cluster', 'password']);
});

test('it starts with no HOME, LANG or PATH, in a long path with spaces, quotes and letters from elsewhere', async () => {
  const wanted = join(await makeDirectory(), `it's "my" data – 日本 ${'x'.repeat(120)}`, 'data');
  const other = startHolder(wanted);
  const ready = await other.said();
  expect(ready).toMatchObject({ event: 'ready', notes: [], dataDir: wanted });
  expect(await query(ready.url, 'show server_encoding')).toEqual([{ server_encoding: 'UTF8' }]);
  process.kill(other.child.pid, 'SIGINT');
  expect(await other.said()).toMatchObject({ event: 'stopped' });
});

test('only this machine can connect', async () => {
  const cluster = await startEmbeddedPostgres({ dataDir, log });
  const outward = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal);
  for (const { address } of outward) {
    const client = new pg.Client({ connectionString: cluster.url.replace('127.0.0.1', address) });
    await expect(client.connect()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  }
  expect(await query(cluster.url, 'show unix_socket_directories')).toEqual([{ unix_socket_directories: '' }]);
  await cluster.stop();
});

test('a port that was asked for is used, and one in use is refused by name without blocking the directory', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  const { port } = address;

  await expect(startEmbeddedPostgres({ dataDir, port, log })).rejects.toMatchObject({
    code: 'port_in_use',
    message: expect.stringContaining(String(port)),
    details: { port },
  });
  await new Promise((resolve) => server.close(resolve));
  const cluster = await startEmbeddedPostgres({ dataDir, port, log });
  expect(cluster.port).toBe(port);
  await cluster.stop();
});

test('settings reach the server, but can not open it to the world', async () => {
  const cluster = await startEmbeddedPostgres({
    dataDir,
    log,
    settings: { max_connections: '37', application_name: `it's = "odd"`, listen_addresses: '*' },
  });
  expect(
    await query(
      cluster.url,
      `select current_setting('max_connections') as connections, current_setting('application_name') as name,
              current_setting('listen_addresses') as listens`,
    ),
  ).toEqual([{ connections: '37', name: `it's = "odd"`, listens: '127.0.0.1' }]);
  await cluster.stop();
});

test('a setting that the server does not know fails the start with the reason', async () => {
  await expect(
    startEmbeddedPostgres({ dataDir, log, settings: { no_such_thing: '1' } }),
  ).rejects.toMatchObject({
    code: 'start_failed',
    message: expect.stringContaining('no_such_thing'),
  });
});

test('restart and crash keep the port and what was committed; stop may be called again and again', async () => {
  const unexpected: string[] = [];
  const cluster = await startEmbeddedPostgres({
    dataDir,
    log,
    onUnexpectedExit: (how) => unexpected.push(how),
  });
  const { url, pid } = cluster;
  await query(url, 'create table steps (name text)');
  for (const mode of ['fast', 'immediate'] as const) {
    await query(url, `insert into steps values ('${mode}')`);
    await cluster.restart(mode);
  }
  await query(url, `insert into steps values ('crash')`);
  await cluster.crash();
  await expect(query(url, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await cluster.restart('fast');
  expect(cluster.url).toBe(url);
  expect(cluster.pid).not.toBe(pid);
  expect(await query(url, 'select name from steps')).toEqual([
    { name: 'fast' },
    { name: 'immediate' },
    { name: 'crash' },
  ]);

  await Promise.all([cluster.stop(), cluster.stop()]);
  await cluster.stop();
  expect(() => cluster.restart('fast')).toThrow('stopped for good');
  expect(unexpected).toEqual([]);
});

test('a server that somebody else kills is reported and can be started again', async () => {
  const unexpected: string[] = [];
  const cluster = await startEmbeddedPostgres({
    dataDir,
    log,
    onUnexpectedExit: (how) => unexpected.push(how),
  });
  process.kill(cluster.pid, 'SIGKILL');
  await waitFor(() => unexpected.length > 0, { describe: 'the report' });
  expect(unexpected).toEqual(['postgres ended with SIGKILL']);
  await cluster.restart('fast');
  expect(await query(cluster.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await cluster.stop();
});
