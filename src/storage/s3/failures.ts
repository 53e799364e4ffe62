import { S3ServiceException } from '@aws-sdk/client-s3';
import { DomainError, PermanentError, toError } from '../../core/errors.ts';

/** Codes of failed connections. The SDK has tried three times by then. */
const NETWORK_CODES = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);
/** Refusals that are over once a clock is set or temporary credentials are fetched again. */
const PASSING_REFUSALS = new Set(['RequestTimeTooSkewed', 'ExpiredToken', 'ExpiredTokenException']);
/** Reported with other statuses than 401 and 403, and as lasting. */
const LASTING_REFUSALS = new Set(['NoSuchBucket', 'PermanentRedirect', 'AuthorizationHeaderMalformed']);

/**
 * Runs a request and turns its failure into one of ours.
 * @param doing what was tried, for the message: `read "a/b" of bucket "videos"`
 * @throws DomainError `StorageUnavailable`, PermanentError `StorageDenied`, the signal's reason when aborted;
 *   any other refusal
 * as the SDK throws it
 */
export async function asking<T>(
  doing: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    signal?.throwIfAborted();
    throw failureOf(doing, toError(thrown));
  }
}

/** Whether an error is the store's answer that there is no such object. */
export function isNotFound(error: unknown): boolean {
  return (
    error instanceof S3ServiceException &&
    error.$metadata.httpStatusCode === 404 &&
    !LASTING_REFUSALS.has(error.name)
  );
}

/** Whether an error says that the object is no longer the one that was asked for. */
export function isOtherObject(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 412;
}

function failureOf(doing: string, error: Error): Error {
  if (error instanceof S3ServiceException) {
    const { httpStatusCode: status = 0 } = error.$metadata;
    const said = `${error.name}, status ${status}`;
    if (PASSING_REFUSALS.has(error.name) || status === 429 || status >= 500)
      return unavailable(doing, said, error);
    if (status === 401 || status === 403 || status === 301 || LASTING_REFUSALS.has(error.name))
      return new PermanentError('StorageDenied', `The object store refused to ${doing} (${said})`, error);
    return error;
  }
  // The role of a machine comes from a service of its own, which may be away for a moment.
  if (error.name === 'CredentialsProviderError') return unavailable(doing, 'no credentials found', error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (NETWORK_CODES.has(code)) return unavailable(doing, code, error);
  return error.name === 'TimeoutError' ? unavailable(doing, 'no answer in time', error) : error;
}

function unavailable(doing: string, why: string, cause: Error): DomainError {
  return new DomainError('StorageUnavailable', `The object store did not ${doing} (${why})`, {}, cause);
}
