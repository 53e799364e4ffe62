import type { FastifyReply } from 'fastify';
import { bounded } from '../core/bounded-text.ts';
import type { DomainError } from '../core/errors.ts';
import { PROBLEM_TYPE, problem } from '../rest/problem.ts';
import { statusOf } from './status.ts';

const REST_PREFIX = '/api/v1/';

const instanceOf = ({ request }: FastifyReply): string => request.url.split('?', 1)[0] ?? '';

/**
 * An error as the routes beside GraphQL send it; below `/api/v1`, where no route has seen the request, as a
 * problem (RFC 9457).
 */
export function sendProblem(
  reply: FastifyReply,
  status: number,
  code: string,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): FastifyReply {
  if (reply.request.url.startsWith(REST_PREFIX)) {
    const body = problem(code, { status, title: bounded(message) }, message, instanceOf(reply), details);
    return reply.code(status).type(PROBLEM_TYPE).send(body);
  }
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send({ error: { code, message: bounded(message), ...details } });
}

/** An expected failure, with what a program can read of it, and when it may come again. */
export function sendDomainProblem(reply: FastifyReply, error: DomainError): FastifyReply {
  const { field, allowed, retryAfterMs } = error.details;
  if (typeof retryAfterMs === 'number')
    reply.header('retry-after', Math.max(1, Math.ceil(retryAfterMs / 1_000)));
  return sendProblem(reply, statusOf(error.code), error.code, error.message, {
    ...(field !== undefined && { field }),
    ...(allowed !== undefined && { allowed }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}
