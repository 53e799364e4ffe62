import { MillraceError, type Recovery } from './error.ts';

/** An error as the server sends it. */
export interface ServerError {
  readonly message: string;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

/** Codes that pass by themselves. Any other says that the same operation will be refused again. */
const PASSING: Readonly<Record<string, Recovery>> = {
  UNAUTHENTICATED: 'renew',
  UNAVAILABLE: 'retry',
  INTERNAL: 'retry',
  INTERNAL_SERVER_ERROR: 'retry',
  SLOW_CONSUMER: 'retry',
  RATE_LIMITED: 'retry',
  BUSY: 'retry',
  DEDUPE_BUSY: 'retry',
  // Others of this socket or tenant end, and make room.
  TOO_MANY_OPERATIONS: 'retry',
  TOO_MANY_SUBSCRIPTIONS: 'retry',
};

/** The first of an answer's errors. */
export function fromServerErrors(
  errors: readonly ServerError[],
  requestId: string | null = null,
): MillraceError {
  const [{ message, extensions = {} } = { message: 'The server refused without a reason' }] = errors;
  const code = text(extensions['code']) ?? 'INVALID_OPERATION';
  return new MillraceError(code, message, {
    recovery: PASSING[code] ?? 'none',
    field: text(extensions['field']),
    allowed: text(extensions['allowed']),
    cursor: text(extensions['cursor']),
    retryAfterMs: finite(extensions['retryAfterMs']),
    requestId,
  });
}

/** A typed failure in the result of a mutation. */
export function fromFailure(failure: {
  readonly code: string;
  readonly message: string;
  readonly field: string | null;
  readonly allowed: string | null;
  readonly problems?: MillraceError['problems'];
}): MillraceError {
  const { code, message, allowed, problems = [] } = failure;
  return new MillraceError(code, message, {
    allowed,
    field: failure.field && ofCall(failure.field),
    problems: problems.map((problem) => ({ ...problem, field: ofCall(problem.field) })),
    recovery: PASSING[code] ?? 'none',
  });
}

/** The API names its argument `input`, which is what the caller gave to the method. */
function ofCall(field: string): string {
  return field.replace(/^input\./, '');
}

/**
 * A close frame. 4403 says that the token has ended or was never good: another one may be. 1012 (restart),
 * 1013 (try again later) and whatever breaks a connection pass; the protocol's own complaints about this
 * client do not.
 */
export function fromClose(code: number, reason: string): MillraceError {
  const said = reason === '' ? `closed with ${code}` : reason;
  if (code === 4403) return new MillraceError('UNAUTHENTICATED', said, { recovery: 'renew' });
  if (code === 4401) return new MillraceError('UNAUTHENTICATED', said);
  if ([4004, 4005, 4400, 4406, 4409, 4429, 1002, 1003, 1007, 1009].includes(code))
    return new MillraceError('PROTOCOL', said);
  return new MillraceError('NETWORK', said, { recovery: 'retry' });
}

/** An HTTP answer that is not what was asked for. */
export async function fromResponse(response: Response): Promise<MillraceError> {
  const body: unknown = await response.json().catch(() => null);
  const errors = (body as { errors?: readonly ServerError[] } | null)?.errors;
  const retryAfterMs = finite(Number(response.headers.get('retry-after') ?? Number.NaN) * 1_000);
  const requestId = requestIdOf(response);
  const said =
    Array.isArray(errors) && errors.length > 0
      ? fromServerErrors(errors, requestId)
      : new MillraceError(codeOfStatus(response.status), `The server answered ${response.status}`, {
          recovery: recoveryOfStatus(response.status),
          requestId,
        });
  if (retryAfterMs === null || said.retryAfterMs !== null) return said;
  const { code, message, recovery, field, allowed, cursor } = said;
  return new MillraceError(code, message, { recovery, field, allowed, cursor, retryAfterMs, requestId });
}

/**
 * Codes of the routes beside GraphQL that pass: an upload is added to by another request, or ends elsewhere
 * than was thought.
 */
const PASSING_PROBLEMS = ['UPLOAD_LOCKED', 'OFFSET_MISMATCH'];

/**
 * What a route beside GraphQL answers: `{"error": {"code": "ObjectTooLarge", "message": …}}`; its code is
 * written as GraphQL's are.
 */
export async function fromProblem(response: Response): Promise<MillraceError> {
  const body = (await response.json().catch(() => null)) as {
    error?: Readonly<Record<string, unknown>>;
  } | null;
  const { code, message, field, allowed } = body?.error ?? {};
  const said =
    typeof code === 'string'
      ? code.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()
      : codeOfStatus(response.status);
  const passes = PASSING_PROBLEMS.includes(said) || response.status === 423;
  return new MillraceError(said, text(message) ?? `The server answered ${response.status}`, {
    recovery: passes ? 'retry' : recoveryOfStatus(response.status),
    field: text(field),
    allowed: text(allowed),
    retryAfterMs: finite(Number(response.headers.get('retry-after') ?? Number.NaN) * 1_000),
    requestId: requestIdOf(response),
  });
}

/** Every answer of the server has one. */
export function requestIdOf({ headers }: Response): string | null {
  return headers.get('x-request-id');
}

function codeOfStatus(status: number): string {
  if (status === 401) return 'UNAUTHENTICATED';
  if (status === 403) return 'FORBIDDEN';
  if (status === 404) return 'NOT_FOUND';
  if (status === 429) return 'RATE_LIMITED';
  return status >= 500 ? 'UNAVAILABLE' : 'PROTOCOL';
}

function recoveryOfStatus(status: number): Recovery {
  if (status === 401) return 'renew';
  return status === 429 || status >= 500 ? 'retry' : 'none';
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function finite(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
