import { stat } from 'node:fs/promises';
import { EmbeddedPostgresError } from './errors.ts';
import { runProgram } from './run-program.ts';

/** Whom Postgres runs as. Without `uid` it is the user of this process. */
export type RunAs = { readonly uid?: number; readonly gid?: number; readonly userName: string };

const KNOWN_USERS = process.platform === 'darwin' ? ['_postgres', 'millrace'] : ['postgres', 'millrace'];
const NEW_USER = 'millrace';
const SYSTEM_PATH = '/usr/sbin:/usr/bin:/sbin:/bin';

/** Whether this process is root, as which Postgres refuses to run. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Finds the unprivileged user for Postgres when this process is root: the owner of an existing cluster
 * (Postgres insists on owning its files), else `postgres`, else a user `millrace` that is made if need be.
 *
 * @throws EmbeddedPostgresError `os_user_unavailable` when there is none and none can be made
 */
export async function chooseRunAs(existingClusterDir: string | undefined): Promise<RunAs> {
  if (!isRoot()) return { userName: 'the current user' };

  if (existingClusterDir !== undefined) {
    const { uid, gid } = await stat(existingClusterDir);
    const name = await runProgram('id', ['-un', String(uid)], { env: { PATH: SYSTEM_PATH } });
    if (uid !== 0) return { uid, gid, userName: name.code === 0 ? name.stdout.trim() : `uid ${uid}` };
  }
  for (const name of KNOWN_USERS) {
    const user = await lookUp(name);
    if (user !== undefined) return user;
  }
  return await createUser();
}

async function lookUp(userName: string): Promise<RunAs | undefined> {
  const env = { PATH: SYSTEM_PATH };
  const [uid, gid] = await Promise.all([
    runProgram('id', ['-u', userName], { env }),
    runProgram('id', ['-g', userName], { env }),
  ]);
  if (uid.code !== 0 || gid.code !== 0 || uid.stdout.trim() === '0') return undefined;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout), userName };
}

async function createUser(): Promise<RunAs> {
  const env = { PATH: SYSTEM_PATH };
  const useradd = await runProgram(
    'useradd',
    [
      '--system',
      '--user-group',
      '--no-create-home',
      '--home-dir',
      '/nonexistent',
      '--shell',
      '/bin/false',
      NEW_USER,
    ],
    { env },
  );
  const adduser =
    useradd.code === 0 ? useradd : await runProgram('adduser', ['-S', '-D', '-H', NEW_USER], { env });
  const user = await lookUp(NEW_USER);
  if (user !== undefined) return user;
  throw new EmbeddedPostgresError(
    'os_user_unavailable',
    'Postgres refuses to run as root, there is no user "postgres", and none could be made. ' +
      'Run Millrace as an ordinary user, create a user "postgres", or set DATABASE_URL to a Postgres 18 server.',
    { userName: NEW_USER, output: (adduser.stderr || adduser.spawnError?.message || useradd.stderr).trim() },
  );
}
