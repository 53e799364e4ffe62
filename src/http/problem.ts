import type { FastifyReply } from 'fastify';
import { bounded } from '../core/bounded-text.ts';
import type { DomainError } from '../core/errors.ts';
import { statusOf } from './status.ts';

/** An error as the routes beside GraphQL send it. */
export function sendProblem(
  reply: FastifyReply,
  status: number,
  code: string,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): FastifyReply {
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
