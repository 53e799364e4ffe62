import { createHash } from 'node:crypto';
import { access, chmod, chown, constants, mkdir, mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { EmbeddedPostgresError, systemCode } from './errors.ts';
import { chooseRunAs, isRoot, type RunAs } from './os-user.ts';
import { runProgram } from './run-program.ts';

/** Prefix of directories that a killed start may leave; the data directory's owner may delete them. */
export const TRIAL_PREFIX = 'trial-';

/** Where the data really lives, and whom the server runs as there. */
export type DataPlace = {
  /** Existing directory, real path: holds the cluster, its password and the owner's flag. */
  readonly home: string;
  readonly clusterDir: string;
  readonly runAs: RunAs;
  readonly notes: readonly string[];
};

/**
 * Decides where the cluster lives. It is the requested directory unless this process is root and the user
 * that Postgres runs as can't get there (a clone below `/root`, say): then it is a directory of its own in
 * `systemDir`.
 *
 * @throws EmbeddedPostgresError `data_dir_unreachable` | `os_user_unavailable`
 */
export async function choosePlace(dataDir: string, systemDir: string): Promise<DataPlace> {
  const requested = resolve(dataDir);
  if (!isRoot()) return await ownPlace(requested);

  const elsewhere = join(
    systemDir,
    `data-${createHash('sha256').update(requested).digest('hex').slice(0, 12)}`,
  );
  const dataIsHere = await holdsCluster(requested);
  const dataIsElsewhere = !dataIsHere && (await holdsCluster(elsewhere));
  const existing = dataIsHere ? requested : dataIsElsewhere ? elsewhere : undefined;
  const runAs = await chooseRunAs(existing && join(existing, 'cluster'));

  if (!dataIsElsewhere) {
    await makeDirectory(requested);
    if (await canLive(requested, runAs, dataIsHere)) return place(await realpath(requested), runAs, []);
    // Starting an empty database elsewhere would look to the user as if all data were lost.
    if (dataIsHere) throw unreachable(requested, `${runAs.userName}, whom Postgres runs as, can't enter it`);
  }
  await makeDirectory(elsewhere);
  if (!(await canLive(elsewhere, runAs, dataIsElsewhere))) {
    throw unreachable(
      elsewhere,
      `${runAs.userName}, whom Postgres runs as, can enter neither it nor ${requested}`,
    );
  }
  return place(await realpath(elsewhere), runAs, [
    `Postgres runs as ${runAs.userName} and can't use ${requested}; its data is in ${elsewhere}.`,
  ]);
}

async function ownPlace(requested: string): Promise<DataPlace> {
  await makeDirectory(requested);
  await access(requested, constants.W_OK).catch((cause: unknown) => {
    throw unreachable(requested, 'it belongs to another user', cause);
  });
  const cluster = await stat(join(requested, 'cluster')).catch(() => undefined);
  const uid = process.getuid?.();
  if (cluster !== undefined && uid !== undefined && cluster.uid !== uid) {
    throw unreachable(requested, `its data belongs to uid ${cluster.uid} (was it started by root before?)`);
  }
  return place(await realpath(requested), { userName: 'the current user' }, []);
}

function place(home: string, runAs: RunAs, notes: readonly string[]): DataPlace {
  return { home, clusterDir: join(home, 'cluster'), runAs, notes };
}

async function holdsCluster(home: string): Promise<boolean> {
  return (await stat(join(home, 'cluster', 'PG_VERSION')).catch(() => undefined)) !== undefined;
}

async function makeDirectory(path: string): Promise<void> {
  try {
    const firstMade = await mkdir(path, { recursive: true });
    if (firstMade === undefined) return;
    // Whatever the umask: the server's user must pass through, and what is secret inside has modes of its
    // own.
    for (let made = resolve(path); made.length >= firstMade.length; made = resolve(made, '..')) {
      await chmod(made, 0o755);
    }
  } catch (cause) {
    throw unreachable(path, `it could not be made (${systemCode(cause) ?? cause})`, cause);
  }
}

/** Whether that user can get there, and files there can be given to it (not so on some network mounts). */
async function canLive(home: string, { uid, gid }: RunAs, hasCluster: boolean): Promise<boolean> {
  const entered = await runProgram('/bin/sh', ['-c', 'cd -- "$1"', 'sh', home], { uid, gid });
  if (entered.code !== 0 || uid === undefined || gid === undefined) return false;
  if (hasCluster) return true;
  const trial = await mkdtemp(join(home, TRIAL_PREFIX));
  try {
    await chown(trial, uid, gid);
    return (await stat(trial)).uid === uid;
  } catch (caught) {
    // The directory's owner tidied up just now: somebody works here.
    return systemCode(caught) === 'ENOENT';
  } finally {
    await rm(trial, { recursive: true, force: true });
  }
}

function unreachable(path: string, why: string, cause?: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'data_dir_unreachable',
    `The data directory ${path} can't be used: ${why}. Choose another one or change its permissions.`,
    { dataDir: path },
    cause === undefined ? undefined : { cause },
  );
}
