import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from './errno.ts';
import { findObjectPath } from './local-path.ts';
import { objectKeyProblem } from './object-key.ts';

/**
 * Keys of the regular files below `prefix`, in ascending byte order. Links, the driver's own dot folders and
 * names that are no keys are passed over. Folders that vanish meanwhile are empty.
 */
export async function* listKeys(root: string, prefix: string): AsyncGenerator<string> {
  if (prefix === '') return yield* walk(root, '');
  // The walk to the prefix itself must not lead through a link either.
  const path = await findObjectPath(root, `${prefix}any`);
  if (path !== null) yield* walk(root, prefix);
}

async function* walk(root: string, prefix: string): AsyncGenerator<string> {
  const entries = await readFolder(join(root, prefix));
  // A folder sorts as its name and the slash that follows: "a-b" comes before "a/b", as it does among whole
  // keys.
  const named = entries.map((entry) => ({
    entry,
    sortKey: entry.isDirectory() ? `${entry.name}/` : entry.name,
  }));
  named.sort((a, b) => (a.sortKey < b.sortKey ? -1 : 1));
  for (const { entry } of named) {
    if (objectKeyProblem(entry.name) !== null) continue;
    if (entry.isDirectory()) yield* walk(root, `${prefix}${entry.name}/`);
    else if (entry.isFile()) yield `${prefix}${entry.name}`;
  }
}

async function readFolder(path: string): Promise<Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return [];
    throw error;
  }
}
