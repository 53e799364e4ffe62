import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError } from 'graphql';
import { DomainError } from '../../core/errors.ts';
import { maskError } from '../../graphql/mask-error.ts';
import { PROBLEM_TYPE, type Problem, problem, problemOfError } from '../../rest/problem.ts';
import type { Logger } from '../../telemetry/log.ts';
import { statusOf } from '../status.ts';

/** Answers what a REST route threw, as a problem. What is unexpected goes to the log under a reference. */
export function sendRestError(
  error: Error | FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Logger,
): FastifyReply {
  const instance = instanceOf(request);
  if (error instanceof DomainError && statusOf(error.code) !== 500) {
    const { retryAfterMs } = error.details;
    if (typeof retryAfterMs === 'number')
      reply.header('retry-after', Math.max(1, Math.ceil(retryAfterMs / 1_000)));
    if (statusOf(error.code) === 401) reply.header('www-authenticate', 'Bearer');
    const named = withParameter(error, request);
    return send(reply, problemOfError(named, instance, placeOf(named, request)));
  }
  const status = (error as FastifyError).statusCode;
  if (status !== undefined && status < 500 && !(error instanceof GraphQLError))
    return send(reply, refused(error as FastifyError, status, request));
  const isOurs = error instanceof DomainError;
  return send(reply, masked(isOurs ? new Error(error.message, { cause: error }) : error, instance, log));
}

/** What the use-cases call `id` is a parameter of the path here: `job_id`. */
function withParameter(error: DomainError, { params }: FastifyRequest): DomainError {
  const [parameter] = Object.keys((params as object | undefined) ?? {});
  if (error.details.field !== 'id' || parameter === undefined) return error;
  return new DomainError(error.code, error.message, { ...error.details, field: parameter }, error.cause);
}

/** What is said where no route is: that there is nothing, or which methods there are. */
export function sendNoRoute(
  request: FastifyRequest,
  reply: FastifyReply,
  methods: readonly string[],
): FastifyReply {
  const instance = instanceOf(request);
  if (methods.length === 0)
    return send(
      reply,
      problem(
        'NotFound',
        { status: 404, title: 'There is nothing here.' },
        'There is nothing here.',
        instance,
      ),
    );
  const allowed = methods.join(', ');
  reply.header('allow', allowed);
  return send(
    reply,
    problem(
      'MethodNotAllowed',
      { status: 405, title: 'The method is not one of this path.' },
      `${request.method} is not allowed here; allowed: ${allowed}.`,
      instance,
      { allowed },
    ),
  );
}

export function send(reply: FastifyReply, body: Problem): FastifyReply {
  return reply.code(body.status).type(PROBLEM_TYPE).send(body);
}

function instanceOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? '';
}

function placeOf(error: DomainError, { body, query, params }: FastifyRequest): 'body' | 'parameter' {
  const part = (error as { validationContext?: string }).validationContext;
  if (part !== undefined) return part === 'body' ? 'body' : 'parameter';
  const field = error.details.field?.split(/[.[]/, 1)[0] ?? '';
  const isIn = (holder: unknown): boolean =>
    typeof holder === 'object' && holder !== null && Object.hasOwn(holder, field);
  if (isIn(params) || isIn(query)) return 'parameter';
  return body == null ? 'parameter' : 'body';
}

const CODES: Readonly<Record<number, readonly [code: string, title: string]>> = {
  400: ['BadRequest', 'The request cannot be read.'],
  408: ['RequestTimeout', 'The body took too long.'],
  413: ['BodyTooLarge', 'The body is larger than this route takes.'],
  415: ['UnsupportedMediaType', 'The body is no JSON.'],
};

/** What Fastify refuses of a request before a route sees it. */
function refused(error: FastifyError, status: number, request: FastifyRequest): Problem {
  const [code, title] = CODES[status] ?? ['BadRequest', 'The request cannot be read.'];
  const limit = request.routeOptions.bodyLimit;
  const detail = status === 413 ? `The body is too large; allowed: ${limit} bytes.` : error.message;
  return problem(code, { status, title }, detail, instanceOf(request), {
    ...(status === 413 && { limit }),
    ...(status === 415 && { allowed: 'application/json' }),
  });
}

/** What may succeed later, by its code in GraphQL; what is too much is the request's own fault. */
const MASKED: Readonly<Record<string, readonly [status: number, title: string]>> = {
  UNAVAILABLE: [503, 'The database cannot be reached just now.'],
  BUSY: [503, 'Another transaction holds what this needs.'],
  TIMED_OUT: [503, 'This took too long.'],
  ANSWER_TOO_LARGE: [422, 'The answer would be too large; ask for less.'],
};

function masked(error: Error, instance: string, log: Logger): Problem {
  const shown = maskError(error, log);
  const code = String(shown.extensions['code']);
  const { reference, limit, actual } = shown.extensions;
  const [status, title] = MASKED[code] ?? [500, 'Something went wrong here.'];
  return problem(MASKED[code] === undefined ? 'INTERNAL' : code, { status, title }, shown.message, instance, {
    ...(typeof reference === 'string' && { reference }),
    ...(typeof limit === 'number' && { limit, actual }),
  });
}
