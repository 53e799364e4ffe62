import { DomainError, PermanentError } from '../../../src/core/errors.ts';

/**
 * What a job fails with when the store has failed: an object that is not there is so for good, and has the
 * video system's name (`S3ObjectNotFound`); whatever else it was stays as it is.
 * @param what is missing, as the sentence begins: "Original video", "The frame was"
 */
export function asMissing(error: unknown, what: string, key: string): unknown {
  return error instanceof DomainError && error.code === 'ObjectNotFound'
    ? new PermanentError('S3ObjectNotFound', `${what} not found at ${key}`, error)
    : error;
}
