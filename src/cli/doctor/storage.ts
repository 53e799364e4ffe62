import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { Config } from '../../config/config.ts';
import { toError } from '../../core/errors.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { putBytes } from '../../storage/put-bytes.ts';
import { type Finding, fail, ok } from './finding.ts';

/** Puts a small object, reads it back and deletes it. */
export async function checkStorage(config: Config): Promise<Finding> {
  const key = `doctor/${randomUUID()}.txt`;
  const fix =
    config.storage === 'local'
      ? 'Let the user that runs Millrace write there, or set MILLRACE_STORAGE_DIR.'
      : 'docs/storage.md has the settings and the permissions that a bucket needs.';
  let name: string = config.storage;
  let store: ObjectStore | undefined;
  try {
    const storage = await openStorage(config);
    ({ name, store } = storage);
    await putBytes(store, key, key);
    const read = await text((await store.get(key)).stream);
    await store.delete(key);
    if (read !== key) return fail('storage', `${name}: what was read back is not what was written`, fix);
    return ok('storage', `written, read and deleted in ${name}`);
  } catch (error) {
    return fail('storage', `${name}: ${toError(error).message}`, fix);
  } finally {
    store?.close?.();
  }
}
