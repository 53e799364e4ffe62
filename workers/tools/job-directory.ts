import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
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
 * @param parent where job directories live (`<temp>/millrace`); made when missing
 */
export async function makeJobDirectory(parent: string): Promise<JobDirectory> {
  await mkdir(parent, { recursive: true });
  const path = join(parent, `job-${HOST}-${process.pid}-${await ownProcessStart()}-${randomUUID()}`);
  await mkdir(path, { mode: 0o700 });
  // A killed program may still be writing its last file while its folder is emptied: try again on ENOTEMPTY.
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  return { path, remove, [Symbol.asyncDispose]: remove };
}

/**
 * Removes the directories that dead processes of this host left behind, and ends what still runs in them. For
 * the start of a worker.
 * @returns the names of what was removed
 */
export async function sweepJobDirectories(parent: string): Promise<readonly string[]> {
  const removed: string[] = [];
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
