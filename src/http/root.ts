import type { FastifyInstance } from 'fastify';
import { GRAPHQL_PATH } from '../graphql/yoga.ts';
import type { HttpDeps } from './deps.ts';

/** `/`: to the playground where there is one, else what there is instead. */
export function addRootRoute(app: FastifyInstance, { config }: Pick<HttpDeps, 'config'>): void {
  app.get('/', { logLevel: 'warn', config: { isForAnyPage: () => true } }, async (_request, reply) => {
    if (config.playground) return reply.redirect(GRAPHQL_PATH);
    return { name: 'millrace', graphql: GRAPHQL_PATH, health: '/health/ready' };
  });
}
