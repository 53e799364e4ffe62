import { createHash, randomUUID } from 'node:crypto';
import { chmod, chown, lchown, lstat, mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { DomainError } from '../../src/core/errors.ts';
import { killProcessesIn } from './orphans.ts';
import { isSameProcess, ownProcessStart } from './process-identity.ts';

/** A directory of one run of a job; everything its tools write goes there. */
export interface JobDirectory extends AsyncDisposable {
  readonly path: string;
  /** Removes it with all that is in it. Idempotent; also called by `await using`. */
  remove(): Promise<void>;
}

/**
 * `job-<host>-<pid>-<start>-<random>`: whose it is can be read from the name, so that no marker file can be
 * missing. The host is there because containers may share the directory while their process ids mean
 * different processes.
 */
const NAME_PATTERN = /^job-([0-9a-f]{8})-(\d+)-(\d+)-[0-9a-f-]{36}$/;
const HOST = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

/**
 * Makes a directory for one run, readable by us only.
 * @param parent where job directories live (`<temp>/millrace-<uid>`); made when missing
 * @throws DomainError `ConfigInvalid` when the parent is not ours alone
 */
export async function makeJobDirectory(parent: string): Promise<JobDirectory> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  await requireOwn(parent);
  const path = join(parent, `job-${HOST}-${process.pid}-${await ownProcessStart()}-${randomUUID()}`);
  await mkdir(path, { mode: 0o700 });
  // A killed program may still be writing its last file while its folder is emptied: try again on ENOTEMPTY.
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  return { path, remove, [Symbol.asyncDispose]: remove };
}

/**
 * Gives a job's directory and what is in it to another user, for a program that runs as that user; takes a
 * process that is root. The parent becomes searchable for it, and is still listed by us only: names cannot be
 * guessed, and every other directory in it is closed.
 */
export async function giveJobDirectory(
  path: string,
  { uid, gid }: { readonly uid: number; readonly gid: number },
): Promise<void> {
  for (const name of await readdir(path)) await lchown(join(path, name), uid, gid);
  await chown(path, uid, gid);
  await chmod(dirname(path), 0o711);
}

/**
 * Removes the directories that dead processes of this host left behind, and ends what still runs in them. For
 * the start of a worker.
 * @returns the names of what was removed
 * @throws DomainError `ConfigInvalid` when the parent is not ours alone
 */
export async function sweepJobDirectories(parent: string): Promise<readonly string[]> {
  const removed: string[] = [];
  if (!(await requireOwn(parent))) return removed;
  for (const name of await readdir(parent).catch(() => [])) {
    const [, host, pid, start] = NAME_PATTERN.exec(name) ?? [];
    if (host !== HOST || (await isSameProcess(Number(pid), Number(start)))) continue;
    const path = join(await realpath(parent), name);
    await killProcessesIn(path);
    await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    removed.push(name);
  }
  return removed;
}

/** Group and others may write. */
const WRITABLE_BY_OTHERS = 0o022;
/**
 * Others may list it. That they may search it is how a program that runs as another user comes to its own
 * directory.
 */
const READABLE_BY_OTHERS = 0o044;

/**
 * A user who may change the parent can put a link in the place of a job's directory, and have us write
 * anywhere: so it is a directory and no link, ours, and was never writable by others. Where others may read
 * it, they may no longer afterwards.
 * @returns whether it exists
 */
async function requireOwn(parent: string): Promise<boolean> {
  const found = await lstat(parent).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (found === null) return false;
  // Windows knows no such owner and mode; its folders for temporary files are each user's own.
  const uid = process.platform === 'win32' ? found.uid : userInfo().uid;
  const problem = !found.isDirectory()
    ? `is ${found.isSymbolicLink() ? 'a symbolic link' : 'no directory'}`
    : found.uid !== uid
      ? `belongs to user ${found.uid}, not to ${uid}`
      : process.platform !== 'win32' && (found.mode & WRITABLE_BY_OTHERS) !== 0
        ? `is writable by others (mode ${(found.mode & 0o777).toString(8)})`
        : null;
  if (problem !== null)
    throw new DomainError(
      'ConfigInvalid',
      `The folder for temporary files ${parent} ${problem}. Remove it, or set TMPDIR to another place.`,
      {
        field: 'TMPDIR',
        allowed: 'a folder in which this user can have a folder that nobody else may write',
      },
    );
  if (process.platform !== 'win32' && (found.mode & READABLE_BY_OTHERS) !== 0) await chmod(parent, 0o700);
  return true;
}
