import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { toError } from '../../core/errors.ts';
import { openLocalStore } from '../../storage/local-store.ts';
import { type Finding, fail, ok } from './finding.ts';

/** Puts a small object, reads it back and deletes it. */
export async function checkStorage(folder: string): Promise<Finding> {
  const key = `doctor/${randomUUID()}.txt`;
  const fix = `Let the user that runs Millrace write to ${folder}, or set MILLRACE_STORAGE_DIR.`;
  try {
    const store = await openLocalStore(folder);
    await store.put(key, { stream: Readable.from([key]) });
    const read = await text((await store.get(key)).stream);
    await store.delete(key);
    if (read !== key) return fail('storage', `${folder}: what was read back is not what was written`, fix);
    return ok('storage', `written, read and deleted in ${folder}`);
  } catch (error) {
    return fail('storage', `${folder}: ${toError(error).message}`, fix);
  }
}
