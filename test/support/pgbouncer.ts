import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findFreePort } from '../../src/postgres/free-port.ts';
import { registerOpen } from './leaks.ts';
import { waitFor } from './wait.ts';

const PROGRAM = '/usr/sbin/pgbouncer';

/** True where Debian's package is installed, as `.ci/run` does: there it must be. */
export const hasPgbouncer = isExecutable(PROGRAM);
if (!hasPgbouncer && process.env['CI'] !== undefined)
  throw new Error(`${PROGRAM} is missing; in CI it must be there`);

export interface Pooler {
  /** The database's URL, through the pooler. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts PgBouncer in transaction mode before a database.
 * @param databaseUrl the direct way to it; its login becomes the pooler's
 * @param poolSize server connections at most: few, so that clients really share them
 */
export async function startPgbouncer(databaseUrl: string, poolSize = 3): Promise<Pooler> {
  const target = new URL(databaseUrl);
  const name = target.pathname.slice(1);
  const user = decodeURIComponent(target.username);
  const password = decodeURIComponent(target.password);
  const directory = await mkdtemp(join(tmpdir(), 'millrace-test-pgbouncer-'));
  const closed = registerOpen(`pooler ${directory}`);
  const port = await findFreePort();
  await writeFile(join(directory, 'users.txt'), `"${user}" "${password}"\n`);
  await writeFile(
    join(directory, 'pgbouncer.ini'),
    `[databases]
${name} = host=${target.hostname} port=${target.port} dbname=${name} user=${user} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${join(directory, 'users.txt')}
admin_users = ${user}
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 200
server_reset_query = discard all
logfile = ${join(directory, 'log')}
`,
  );
  const child = await start(directory);
  const url = Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(port) }).href;
  await waitFor(() => canConnect(url), {
    describe: () => `pgbouncer to take connections (exit code ${child.exitCode})`,
  });
  return {
    url,
    close: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGINT');
        const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
        await once(child, 'exit');
        clearTimeout(timer);
      }
      await rm(directory, { recursive: true, force: true });
      closed();
    },
  };
}

/** Run by root it refuses to start: as the system's `postgres`, which its package brings. */
async function start(directory: string): Promise<ChildProcess> {
  const options: { stdio: 'ignore'; uid?: number; gid?: number } = { stdio: 'ignore' };
  if (process.getuid?.() === 0) {
    const ids = await idsOf('postgres');
    Object.assign(options, ids);
    await chmod(directory, 0o755);
    await chown(directory, ids.uid, ids.gid);
  }
  return spawn(PROGRAM, [join(directory, 'pgbouncer.ini')], options);
}

async function idsOf(user: string): Promise<{ uid: number; gid: number }> {
  const line = (await readFile('/etc/passwd', 'utf8')).split('\n').find((one) => one.startsWith(`${user}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined) throw new Error(`there is no user ${user} to run PgBouncer as`);
  return { uid: Number(uid), gid: Number(gid) };
}

async function canConnect(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
