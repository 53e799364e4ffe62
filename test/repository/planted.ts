import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export const repository = resolve(import.meta.dirname, '../..');

/** A small copy of the repository in which a mistake can be planted. */
export interface PlantedRepository extends AsyncDisposable {
  readonly folder: string;
}

/**
 * Makes a folder with this repository's installed packages, the files of it that `copied` names, and the
 * given files. Removed at the end of the `await using` block that holds it.
 */
export async function plant(
  copied: readonly string[],
  files: Readonly<Record<string, string>>,
): Promise<PlantedRepository> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-planted-'));
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
  for (const path of copied) await cp(join(repository, path), join(folder, path), { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
