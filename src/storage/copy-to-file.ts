import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { errnoOf } from './errno.ts';
import type { ObjectBody, ObjectStat } from './object-store.ts';
import { PRIVATE_FILE } from './private-mode.ts';

/**
 * Writes an object's whole body to a new file and verifies the size. On any failure the file is gone.
 * @throws `EEXIST` when there is such a file, which then stays as it is; the signal's reason when aborted
 */
export async function copyToFile(body: ObjectBody, path: string, signal?: AbortSignal): Promise<ObjectStat> {
  const target = createWriteStream(path, { flags: 'wx', mode: PRIVATE_FILE });
  try {
    await pipeline(body.stream, target, signal === undefined ? {} : { signal });
    if (target.bytesWritten === body.stat.sizeBytes) return body.stat;
    throw new Error(`Copied ${target.bytesWritten} of ${body.stat.sizeBytes} bytes of ${body.stat.key}`);
  } catch (error) {
    // A file that was there before us is not ours to remove.
    if (errnoOf(error) !== 'EEXIST') await rm(path, { force: true });
    signal?.throwIfAborted();
    throw error;
  }
}
