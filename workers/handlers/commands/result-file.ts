import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { PermanentError, toError } from '../../../src/core/errors.ts';
import { parseJson } from '../../../src/core/parse-json.ts';

const MAX_RESULT_FILE_BYTES = 16 * 1024 * 1024;

/**
 * What a command has written as its result. A link is not followed and a pipe not waited for: the program may
 * run as another user, who must not read by us what that user may not read.
 * @returns undefined where there is none
 * @throws PermanentError for what is no regular file, too large or no JSON
 */
export async function resultIn(path: string): Promise<unknown> {
  const text = await textOf(path);
  if (text === null || text.trim() === '') return undefined;
  try {
    return parseJson(text) as unknown;
  } catch (thrown) {
    throw new PermanentError('InvalidResult', `The result file is no JSON: ${toError(thrown).message}`);
  }
}

async function textOf(path: string): Promise<string | null> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, flags);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP')
      throw new PermanentError('InvalidResult', 'The result file is a symbolic link');
    return null;
  }
  try {
    const found = await file.stat();
    if (!found.isFile()) throw new PermanentError('InvalidResult', 'The result file is no regular file');
    if (found.size > MAX_RESULT_FILE_BYTES)
      throw new PermanentError(
        'ResultTooLarge',
        `The result file has ${found.size} bytes; allowed: ${MAX_RESULT_FILE_BYTES}`,
      );
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}
