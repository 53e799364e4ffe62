import { DomainError } from '../core/errors.ts';
import { errnoOf } from './errno.ts';

/** What the system says of a disk that does not do its part, though the request was fine. */
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'its disk is full',
  EDQUOT: 'its quota is used up',
  EIO: 'its disk fails',
  EROFS: 'it is read-only',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EACCES: 'this system user may not use it',
  EPERM: 'this system user may not use it',
  ESTALE: 'its network file system is away',
  ETIMEDOUT: 'its network file system is away',
};

/**
 * Runs work on the files of a store. @throws DomainError `StorageUnavailable` in place of what the system
 * says of the disk
 */
export async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const errno = errnoOf(error);
    const reason = errno === undefined || !isFileError(error) ? undefined : REASONS[errno];
    if (reason === undefined) throw error;
    // Without the path: a client sees this message.
    throw new DomainError(
      'StorageUnavailable',
      `The object store cannot do this: ${reason} (${errno})`,
      {},
      error,
    );
  }
}

/** Not an error of a socket that the bytes came from, which has the same fields. */
function isFileError(error: unknown): boolean {
  const { syscall, address, port } = error as { syscall?: unknown; address?: unknown; port?: unknown };
  return typeof syscall === 'string' && address === undefined && port === undefined;
}
