import { join } from 'node:path';
import { DomainError, PermanentError } from '../../../src/core/errors.ts';
import type { HandlerContext } from '../../handler.ts';

/**
 * An object as a file of this machine: in place where the store keeps it so. @throws PermanentError
 * `RecordingNotFound`
 */
export async function localObject(
  { tools, signal }: HandlerContext,
  key: string,
  name: string,
): Promise<string> {
  try {
    if (tools.storage.localPath !== undefined) return await tools.storage.localPath(key);
    const path = join(await tools.tempDir(), name);
    await tools.storage.copyToFile(key, path, { signal });
    return path;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'ObjectNotFound')
      throw new PermanentError('RecordingNotFound', `There is no object ${key}`, error);
    throw error;
  }
}
