import { chmod, mkdtemp, readdir, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimDirectory, type OwnerLock } from '../../src/postgres/owner-lock.ts';
import { memoryDirectory } from './memory-directory.ts';
import { removeAbandonedClusters } from './postgres.ts';

export const RUN_DIRECTORY_PREFIX = 'millrace-run-';
const ABANDONED_AFTER_MS = 60_000;

/**
 * Gives a run of tests a temporary folder of its own: in the system's one others, and other runs, may have
 * left anything, by any name. What is started from here on finds it by TMPDIR.
 * @returns removes it, and what is in it
 */
export async function openRunDirectory(): Promise<() => Promise<void>> {
  const outer = tmpdir();
  await removeAbandonedRuns(outer);
  await removeAbandonedClusters(await memoryDirectory(), ABANDONED_AFTER_MS);
  const directory = await realpath(await mkdtemp(join(outer, RUN_DIRECTORY_PREFIX)));
  // Run by root, the database server has a user of its own, who must get in.
  await chmod(directory, 0o755);
  const lock = await claimDirectory(directory);
  process.env['TMPDIR'] = directory;
  return async () => {
    process.env['TMPDIR'] = outer;
    await remove(directory, lock);
  };
}

/** Stops and deletes what runs that were killed have left. */
async function removeAbandonedRuns(outer: string): Promise<void> {
  for (const name of await readdir(outer)) {
    const directory = join(outer, name);
    const info = await stat(directory).catch(() => undefined);
    if (
      !name.startsWith(RUN_DIRECTORY_PREFIX) ||
      info === undefined ||
      Date.now() - info.mtimeMs < ABANDONED_AFTER_MS
    )
      continue;
    try {
      const lock = await claimDirectory(directory);
      await removeAbandonedClusters(directory);
      await remove(directory, lock);
    } catch {
      // In use by another run, or another user's: left alone.
    }
  }
}

async function remove(directory: string, lock: OwnerLock): Promise<void> {
  await lock.release();
  await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}
