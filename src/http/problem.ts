import type { FastifyReply } from 'fastify';

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
    .send({ error: { code, message, ...details } });
}
