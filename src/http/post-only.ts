import type { FastifyInstance } from 'fastify';
import { sendProblem } from './problem.ts';

/** Answers 405 to every other method of a URL that takes POST alone: 404 would say that nothing is there. */
export function takePostOnly(app: FastifyInstance, url: string): void {
  app.route({
    method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'],
    url,
    // It does nothing but say so.
    config: { isForAnyPage: () => true },
    handler: (request, reply) =>
      sendProblem(
        reply.header('allow', 'POST'),
        405,
        'MethodNotAllowed',
        `${request.method} is not taken here.`,
        { allowed: 'POST' },
      ),
  });
}
