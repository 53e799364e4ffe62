import { rmSync } from 'node:fs';
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A directory that is removed at the end of its block. */
export interface BenchDirectory extends AsyncDisposable {
  readonly path: string;
}

const TMPFS_TYPE = 0x01021994;

/**
 * Makes an empty directory for one measure, on a real disk.
 * @throws Error when the system's temporary directory lies in memory, where a commit costs nothing
 */
export async function makeBenchDirectory(): Promise<BenchDirectory> {
  const path = await mkdtemp(join(tmpdir(), 'millrace-bench-'));
  // Run by root, the database server has a user of its own, who must get in.
  await chmod(path, 0o755);
  // For an interrupted run, whose blocks never end.
  const removeAtExit = (): void => rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  process.once('exit', removeAtExit);
  const remove = async (): Promise<void> => {
    process.off('exit', removeAtExit);
    await rm(path, { recursive: true, force: true });
  };
  if ((await statfs(path)).type === TMPFS_TYPE) {
    await remove();
    throw new Error(`${tmpdir()} lies in memory; set TMPDIR to a folder on a disk`);
  }
  return { path, [Symbol.asyncDispose]: remove };
}
