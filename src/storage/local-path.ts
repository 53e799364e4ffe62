import type { Stats } from 'node:fs';
import { lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '../core/errors.ts';
import { errnoOf } from './errno.ts';
import { PRIVATE_FOLDER } from './private-mode.ts';
import { syncDirectory } from './sync-directory.ts';

/**
 * The path of an object below `root`, after making sure that no directory on the way is a symbolic link:
 * a user who can place a link in the store must not make us read or write outside of it. The last component
 * is left to the caller, which opens it with `O_NOFOLLOW` or renames over it.
 * @param root real path of the store's root
 * @param key a checked object key
 * @returns null when a directory on the way does not exist
 * @throws DomainError `InvalidKey` when the way leads through a link or a file
 */
export async function findObjectPath(root: string, key: string): Promise<string | null> {
  let directory = root;
  const segments = key.split('/');
  for (const segment of segments.slice(0, -1)) {
    directory = join(directory, segment);
    const stats = await lstatOrNull(directory);
    if (stats === null) return null;
    refuseUnlessDirectory(stats, key, segment);
  }
  return join(directory, segments.at(-1) ?? '');
}

/**
 * Like `findObjectPath`, creating what is missing on the way, durably (each new name is synced in its
 * parent).
 */
export async function makeObjectPath(root: string, key: string): Promise<string> {
  let directory = root;
  const segments = key.split('/');
  for (const segment of segments.slice(0, -1)) {
    const parent = directory;
    directory = join(parent, segment);
    let stats = await lstatOrNull(directory);
    if (stats === null) {
      // Another put may make it at the same moment: EEXIST is as good, what matters is what is there
      // afterwards.
      await mkdir(directory, PRIVATE_FOLDER).then(() => syncDirectory(parent), ignoreExisting);
      stats = await lstat(directory);
    }
    refuseUnlessDirectory(stats, key, segment);
  }
  return join(directory, segments.at(-1) ?? '');
}

/** `lstat`, or null when there is nothing of that name. */
export async function lstatOrNull(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return null;
    throw error;
  }
}

function refuseUnlessDirectory(stats: Stats, key: string, segment: string): void {
  if (stats.isDirectory()) return;
  const found = stats.isSymbolicLink()
    ? 'a symbolic link, which the store never follows'
    : 'an object, not a folder';
  throw new DomainError('InvalidKey', `Object key ${JSON.stringify(key)}: "${segment}" is ${found}`, {
    field: 'key',
    allowed: 'a key that does not run through another object or a link',
  });
}

function ignoreExisting(error: unknown): void {
  if (errnoOf(error) !== 'EEXIST') throw error;
}
