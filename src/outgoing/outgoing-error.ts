import { PermanentError } from '../core/errors.ts';

/**
 * Why a request to somebody else's server has no answer: `InvalidUrl`, `AddressRefused` (an address or a port
 * that may not be reached), `HostNotFound`, `ConnectionFailed`, `TimedOut`, `TooManyRedirects`, `TooLarge`,
 * `ContentTypeRefused`, `Aborted` (by the caller's signal).
 */
export type OutgoingErrorCode =
  | 'InvalidUrl'
  | 'AddressRefused'
  | 'HostNotFound'
  | 'ConnectionFailed'
  | 'TimedOut'
  | 'TooManyRedirects'
  | 'TooLarge'
  | 'ContentTypeRefused'
  | 'Aborted';

/** Whether the same request may do better later. */
const PASSING: ReadonlySet<OutgoingErrorCode> = new Set([
  'HostNotFound',
  'ConnectionFailed',
  'TimedOut',
  'Aborted',
]);

/**
 * A request that was not sent, or whose answer was not taken. Its message never holds a query string or a
 * password.
 */
export class OutgoingError extends Error {
  readonly code: OutgoingErrorCode;

  constructor(code: OutgoingErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = code;
    this.code = code;
  }

  get retryable(): boolean {
    return PASSING.has(this.code);
  }
}

/** What no retry of the request helps, as what a handler throws of such; null of all else. */
export function permanentOutgoing(error: unknown): PermanentError | null {
  if (!(error instanceof OutgoingError) || error.retryable) return null;
  return new PermanentError(error.code, error.message, error);
}

/** Finds ours among the causes of what `fetch` threw, or puts what it threw into our words. */
export function toOutgoingError(thrown: unknown, host: string): OutgoingError {
  let last: unknown = thrown;
  for (
    let cause: unknown = thrown, depth = 0;
    cause instanceof Error && depth < 8;
    cause = cause.cause, depth++
  ) {
    if (cause instanceof OutgoingError) return cause;
    last = cause;
  }
  const { code, name, message } = last as { code?: unknown; name?: unknown; message?: unknown };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new OutgoingError('HostNotFound', `${host} has no address`, thrown);
  if (name === 'TimeoutError' || /_TIMEOUT$|^ETIMEDOUT$/.test(String(code)))
    return new OutgoingError('TimedOut', `${host} did not answer in time`, thrown);
  const reason = typeof code === 'string' ? code : String(message ?? 'unknown').slice(0, 200);
  return new OutgoingError('ConnectionFailed', `The connection to ${host} failed: ${reason}`, thrown);
}
