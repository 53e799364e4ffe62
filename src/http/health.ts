import type { FastifyInstance } from 'fastify';
import { toError } from '../core/errors.ts';
import type { HttpDeps } from './deps.ts';

const PING_TIMEOUT_MS = 2_000;
/** Answers the same to everybody. */
const PUBLIC = { logLevel: 'warn', config: { isForAnyPage: () => true } } as const;

/**
 * `/health/live`: the process answers. `/health/ready`: it can serve; 503 while the database is away. A
 * listener that polls is slower, not broken, so it is named and does not turn the light red.
 */
export function addHealthRoutes(
  app: FastifyInstance,
  deps: Pick<HttpDeps, 'ping' | 'listenerMode' | 'log'>,
): void {
  app.get('/health/live', PUBLIC, () => ({ status: 'ok' }));
  app.get('/health/ready', PUBLIC, async (_request, reply) => {
    const isThere = await answers(deps);
    const state = { database: isThere ? 'ok' : 'unreachable', listener: deps.listenerMode() };
    return reply.code(isThere ? 200 : 503).send({ status: isThere ? 'ok' : 'unavailable', ...state });
  });
}

async function answers(deps: Pick<HttpDeps, 'ping' | 'log'>): Promise<boolean> {
  const timeout = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => timeout.resolve('late'), PING_TIMEOUT_MS);
  try {
    return (await Promise.race([deps.ping(), timeout.promise])) !== 'late';
  } catch (error) {
    deps.log.debug({ err: toError(error) }, 'http: not ready');
    return false;
  } finally {
    clearTimeout(timer);
  }
}
