import { open } from 'node:fs/promises';
import { errnoOf } from './errno.ts';

/**
 * Makes the names in a directory durable: without it a rename can be lost in a power cut although the file
 * was synced.
 */
export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } catch (error) {
    // Some network and container file systems cannot sync directories; they have no stronger promise to give.
    if (errnoOf(error) !== 'EINVAL' && errnoOf(error) !== 'ENOTSUP') throw error;
  } finally {
    await handle.close();
  }
}
