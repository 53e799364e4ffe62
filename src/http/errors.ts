import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError } from 'graphql';
import { DomainError } from '../core/errors.ts';
import { limitError } from '../graphql/limits/limit-error.ts';
import { maskError } from '../graphql/mask-error.ts';
import { GRAPHQL_PATH } from '../graphql/yoga.ts';
import type { Logger } from '../telemetry/log.ts';
import { sendDomainProblem, sendProblem } from './problem.ts';
import { statusOf } from './status.ts';

/**
 * Answers what a route threw, in the shape that its clients read. What is unexpected goes to the log under a
 * reference.
 */
export function sendError(
  error: FastifyError | DomainError,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Logger,
): FastifyReply {
  const isGraphql = request.url.startsWith(GRAPHQL_PATH);
  const status = error instanceof DomainError ? statusOf(error.code) : (error.statusCode ?? 500);
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  if (!isGraphql && error instanceof DomainError && status !== 500) return sendDomainProblem(reply, error);
  if (status < 500 && !isGraphql) {
    return sendProblem(reply, status, error.code ?? 'BadRequest', error.message);
  }
  if (status < 500 && !(error instanceof DomainError))
    return reply.code(status).send({ errors: [requestError(error, status, request).toJSON()] });
  // A failure that no request can cause: its words are for the log.
  const isOurs = status === 500 && error instanceof DomainError;
  const masked = maskError(isOurs ? new Error(error.message, { cause: error }) : error, log);
  const later = LATER[String(masked.extensions['code'])];
  reply.code(later === undefined ? status : 503);
  if (isGraphql) return reply.send({ errors: [masked.toJSON()] });
  return sendProblem(reply, reply.statusCode, later ?? 'Internal', masked.message);
}

/** What may succeed later, by its code in GraphQL. */
const LATER: Readonly<Record<string, string>> = {
  UNAVAILABLE: 'Unavailable',
  BUSY: 'Busy',
  TIMED_OUT: 'TimedOut',
};

const REQUEST_CODES: Readonly<Record<number, string>> = {
  408: 'REQUEST_TIMEOUT',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};

/** What Fastify refuses of a request for GraphQL, as its clients read errors. */
function requestError(error: FastifyError, status: number, request: FastifyRequest): GraphQLError {
  if (status === 413) {
    const limit = request.routeOptions.bodyLimit ?? 0;
    const length = Number(request.headers['content-length']);
    // Without a length it is read until it is too much.
    const actual = Number.isSafeInteger(length) && length > limit ? length : null;
    return limitError('BODY_TOO_LARGE', `The body has ${actual ?? 'more'} bytes; allowed: ${limit}`, {
      limit,
      actual,
    });
  }
  return new GraphQLError(error.message, {
    extensions: {
      code: REQUEST_CODES[status] ?? 'BAD_REQUEST',
      ...(status === 415 && { allowed: 'application/json' }),
    },
  });
}

/** What is said of URLs that no route gets to see. Never the URL itself: the token in it is a permission. */
export function sendUnreadableUrl(error: FastifyError, reply: FastifyReply): FastifyReply {
  const message =
    error.code === 'FST_ERR_MAX_PARAM_LENGTH'
      ? 'A part of the URL is longer than any that we make.'
      : 'The URL has an escape (%) that is none.';
  return sendProblem(reply, error.statusCode ?? 400, error.code, message);
}
