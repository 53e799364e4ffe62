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

/** An expected failure, with what a program can read of it. */
export function sendDomainProblem(reply: FastifyReply, error: DomainError): FastifyReply {
  const { field, allowed } = error.details;
  return sendProblem(reply, statusOf(error.code), error.code, error.message, {
    ...(field !== undefined && { field }),
    ...(allowed !== undefined && { allowed }),
  });
}
