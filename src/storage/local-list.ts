import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from './errno.ts';
import { findObjectPath } from './local-path.ts';
import { objectKeyProblem } from './object-key.ts';
import type { ListOptions } from './object-store.ts';

/**
 * Keys of the regular files below `prefix`, in ascending byte order. Links, the driver's own dot folders and
 * names that are no keys are passed over, and reported. Folders that vanish meanwhile are empty.
 */
export async function* listKeys(
  root: string,
  prefix: string,
  options: ListOptions = {},
): AsyncGenerator<string> {
  if (prefix === '') return yield* walk(root, '', options);
  // The walk to the prefix itself must not lead through a link either.
  const path = await findObjectPath(root, `${prefix}any`);
  if (path !== null) yield* walk(root, prefix, options);
}

async function* walk(root: string, prefix: string, options: ListOptions): AsyncGenerator<string> {
  const entries = await readFolder(join(root, prefix));
  // A folder sorts as its name and the slash that follows: "a-b" comes before "a/b", as it does among whole
  // keys.
  const named = entries.map((entry) => ({
    entry,
    sortKey: entry.isDirectory() ? `${entry.name}/` : entry.name,
  }));
  named.sort((a, b) => Buffer.compare(Buffer.from(a.sortKey), Buffer.from(b.sortKey)));
  for (const { entry } of named) {
    const name = `${prefix}${entry.name}`;
    const problem = objectKeyProblem(entry.name) ?? objectKeyProblem(name) ?? kindProblem(entry);
    if (problem !== null) options.onRefused?.({ name, reason: problem });
    else if (entry.isDirectory()) yield* walk(root, `${name}/`, options);
    else yield name;
  }
}

function kindProblem(entry: Dirent): string | null {
  if (entry.isDirectory() || entry.isFile()) return null;
  return entry.isSymbolicLink() ? 'is a symbolic link' : 'is neither a file nor a folder';
}

async function readFolder(path: string): Promise<Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return [];
    throw error;
  }
}
