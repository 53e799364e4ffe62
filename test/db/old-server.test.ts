import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../src/db/migrate/migrate.ts';
import { chooseRunAs } from '../../src/postgres/os-user.ts';
import { startProgram } from '../support/program.ts';
import { waitFor } from '../support/wait.ts';

/** The newest Postgres below 18 that Debian has put on this machine, or null. */
async function findOldPostgres(): Promise<string | null> {
  const versions = await readdir('/usr/lib/postgresql').catch(() => [] as string[]);
  const old = versions.filter((version) => Number(version) < 18).sort((a, b) => Number(b) - Number(a));
  return old[0] === undefined ? null : join('/usr/lib/postgresql', old[0], 'bin');
}

const programs = await findOldPostgres();
// Postgres refuses root.
const { uid, gid } = await chooseRunAs(undefined);
const user = { ...(uid !== undefined && { uid }), ...(gid !== undefined && { gid }) };
let dataDir: string;
let url: string;
let server: ReturnType<typeof spawn>;

beforeAll(async () => {
  if (programs === null) return;
  dataDir = await mkdtemp(join(tmpdir(), 'millrace-old-postgres-'));
  await chmod(dataDir, 0o700);
  if (uid !== undefined) await chown(dataDir, uid, gid ?? uid);
  const init = spawn(
    join(programs, 'initdb'),
    ['-D', dataDir, '-U', 'postgres', '--auth=trust', '--no-sync'],
    { ...user, stdio: 'ignore' },
  );
  expect((await once(init, 'exit'))[0]).toBe(0);
  const port = await freePort();
  url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  server = spawn(
    join(programs, 'postgres'),
    [
      '-D',
      dataDir,
      '-p',
      String(port),
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      `unix_socket_directories=${dataDir}`,
    ],
    { ...user, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let log = '';
  server.stderr?.on('data', (chunk) => (log += String(chunk)));
  await waitFor(() => log.includes('ready to accept connections'), {
    describe: () => `the old server:\n${log}`,
  });
});

afterAll(async () => {
  if (programs === null) return;
  server.kill('SIGQUIT');
  await once(server, 'exit');
  await rm(dataDir, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

test('a server below 18 is refused, saying which it is, what is needed and why, and nothing is written to it', async (context) => {
  if (programs === null) return context.skip('no Postgres below 18 in /usr/lib/postgresql');
  await expect(migrate({ connectionString: url })).rejects.toMatchObject({
    code: 'DatabaseUnsupported',
    message: expect.stringMatching(/Postgres 1\d.*needs 18/),
  });
  const start = startProgram('src/main.ts', ['start'], {
    DATABASE_URL: url,
    MILLRACE_DATA_DIR: join(dataDir, 'unused'),
  });
  expect(await start.ended()).toBe(1);
  expect(start.stderr()).toMatch(/needs 18 or newer/);
  expect(start.stdout()).toBe('');
});
