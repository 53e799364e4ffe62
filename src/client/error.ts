/** What can be done about an error: nothing, the same again later, or again with another token. */
export type Recovery = 'none' | 'retry' | 'renew';

/** One mistake in a payload. */
export interface PayloadProblem {
  readonly field: string;
  readonly message: string;
  readonly allowed: string;
}

export interface MillraceErrorDetails {
  readonly recovery?: Recovery;
  /** The input at fault, as a path. */
  readonly field?: string | null;
  /** What would have been taken there. */
  readonly allowed?: string | null;
  /** With `INVALID_PAYLOAD`: everything that is wrong. */
  readonly problems?: readonly PayloadProblem[];
  /** With `SLOW_CONSUMER`: the cursor from which the stream can be resumed. */
  readonly cursor?: string | null;
  /** Not to be tried again before. */
  readonly retryAfterMs?: number | null;
  /** By which the server's log has the request. */
  readonly requestId?: string | null;
  readonly cause?: unknown;
}

/**
 * Every failure that the client reports. `code` is the server's (`NOT_FOUND`, `INVALID_PAYLOAD`, `FORBIDDEN`
 * …) or one of the client's own: `NETWORK` (no connection, or it broke), `INTERRUPTED` (the server ended a
 * stream before its end), `TOKEN_UNAVAILABLE` (the token function failed), `PROTOCOL` (that is no Millrace
 * server, or one of another time), `CLOSED` (the client was closed), `INVALID_OPERATION` (the server does not
 * take the document).
 */
export class MillraceError extends Error {
  override readonly name = 'MillraceError';
  readonly code: string;
  readonly recovery: Recovery;
  readonly field: string | null;
  readonly allowed: string | null;
  readonly problems: readonly PayloadProblem[];
  readonly cursor: string | null;
  readonly retryAfterMs: number | null;
  /** By which the server's log has the request; null for errors of streams, and of the client's own. */
  readonly requestId: string | null;

  constructor(code: string, message: string, details: MillraceErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.recovery = details.recovery ?? 'none';
    this.field = details.field ?? null;
    this.allowed = details.allowed ?? null;
    this.problems = details.problems ?? [];
    this.cursor = details.cursor ?? null;
    this.retryAfterMs = details.retryAfterMs ?? null;
    this.requestId = details.requestId ?? null;
  }

  /** Whether the same may succeed later. */
  get isRetryable(): boolean {
    return this.recovery !== 'none';
  }
}

/** What was thrown, as a `MillraceError`: anything unknown is taken for a broken connection. */
export function toMillraceError(thrown: unknown): MillraceError {
  if (thrown instanceof MillraceError) return thrown;
  const message = thrown instanceof Error ? thrown.message : 'The connection failed';
  return new MillraceError('NETWORK', message || 'The connection failed', {
    recovery: 'retry',
    cause: thrown,
  });
}
