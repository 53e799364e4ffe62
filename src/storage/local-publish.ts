import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DomainError } from '../core/errors.ts';
import { errnoOf } from './errno.ts';
import { makeObjectPath } from './local-path.ts';
import { syncDirectory } from './sync-directory.ts';

/**
 * Gives a written file its object's name. A delete may prune the folder in between, hence the second and
 * third try.
 */
export async function publishFile(root: string, key: string, filePath: string): Promise<void> {
  for (let triesLeft = 2; ; triesLeft -= 1) {
    try {
      const path = await makeObjectPath(root, key);
      await rename(filePath, path);
      return await syncDirectory(dirname(path));
    } catch (error) {
      if (errnoOf(error) === 'EISDIR' || errnoOf(error) === 'ENOTEMPTY') throw folderInTheWay(key);
      if (errnoOf(error) !== 'ENOENT' || triesLeft === 0) throw error;
    }
  }
}

function folderInTheWay(key: string): DomainError {
  return new DomainError(
    'InvalidKey',
    `Object key ${JSON.stringify(key)} is already the folder of other objects`,
    {
      field: 'key',
      allowed: 'a key that is not the beginning of another one',
    },
  );
}
