import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A file system of its own with this size (`4m`), or null where we may not mount one. */
export async function mountSmallDisk(
  size: string,
): Promise<{ readonly path: string; remove(): Promise<void> } | null> {
  const path = await mkdtemp(join(tmpdir(), 'millrace-test-disk-'));
  try {
    await run('/bin/mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path]);
  } catch {
    await rm(path, { recursive: true });
    return null;
  }
  return {
    path,
    remove: async () => {
      await run('/bin/umount', [path]);
      await rm(path, { recursive: true });
    },
  };
}
