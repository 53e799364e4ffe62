import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.ts';
import { defineUseCase } from '../access/use-case.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { bearsToken } from '../telemetry/metrics-access.ts';
import { METRICS_PATH } from '../telemetry/metrics-listener.ts';
import type { HttpDeps } from './deps.ts';
import { admitRoute, type RouteCallerDeps } from './route-caller.ts';

const readMetrics = defineUseCase(
  {
    name: 'readMetrics',
    role: 'super_admin',
    scope: 'admin',
    toDo: 'read the metrics, which cover every tenant',
  },
  async (metrics: Metrics, _caller: Caller) => metrics.render(),
);

/**
 * `GET /metrics`: the figures of this process. They cover all tenants, so they are for a caller with the
 * metrics token, and for super admins.
 */
export function addMetricsRoute(
  app: FastifyInstance,
  deps: RouteCallerDeps & Pick<HttpDeps, 'config' | 'metrics'>,
): void {
  app.get(METRICS_PATH, { logLevel: 'warn' }, async (request, reply) => {
    if (!mayBecauseOfToken(request, deps.config.metricsToken)) {
      const caller = await admitRoute(deps, request, reply, readMetrics.need);
      return sendMetrics(reply, deps, await readMetrics(deps.metrics, caller));
    }
    return sendMetrics(reply, deps, await deps.metrics.render());
  });
}

function sendMetrics(
  reply: FastifyReply,
  { metrics }: Pick<HttpDeps, 'metrics'>,
  text: string,
): FastifyReply {
  return reply.header('cache-control', 'no-store').type(metrics.contentType).send(text);
}

function mayBecauseOfToken(request: FastifyRequest, token: string | null): boolean {
  return token !== null && bearsToken(request.headers.authorization, token);
}
