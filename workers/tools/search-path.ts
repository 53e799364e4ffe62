import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/**
 * The executable files of a name, as absolute paths, in the order of the folders. Folders that are relative
 * are left out: what is in them depends on where we were started.
 * @param searchPath in the form of PATH
 */
export async function* programsIn(searchPath: string | null, name: string): AsyncGenerator<string> {
  for (const folder of (searchPath ?? '').split(delimiter).filter(isAbsolute)) {
    const path = join(folder, name);
    if (await isExecutable(path)) yield path;
  }
}

/** Whether a file is there and may be run. */
export async function isExecutable(path: string): Promise<boolean> {
  return await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
