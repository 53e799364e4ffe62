import type { FastifyInstance, FastifyRequest } from 'fastify';
import { credentialFrom } from '../graphql/credential.ts';
import { requireRole } from '../jobs/require-role.ts';
import { bearsToken } from '../telemetry/metrics-access.ts';
import { METRICS_PATH } from '../telemetry/metrics-listener.ts';
import type { HttpDeps } from './deps.ts';

/**
 * `GET /metrics`: the figures of this process. They cover all tenants, so they are for a caller with the metrics token, and
 * for super admins.
 */
export function addMetricsRoute(
  app: FastifyInstance,
  deps: Pick<HttpDeps, 'authenticator' | 'addresses' | 'config' | 'metrics'>,
): void {
  app.get(METRICS_PATH, { logLevel: 'warn' }, async (request, reply) => {
    if (!mayBecauseOfToken(request, deps.config.metricsToken)) {
      const { actor } = await deps.authenticator.authenticate(
        credentialFrom(request.headers, {}, deps.addresses.of(request.raw)),
      );
      requireRole(actor, 'super_admin', 'read the metrics, which cover every tenant');
    }
    return reply
      .header('cache-control', 'no-store')
      .type(deps.metrics.contentType)
      .send(await deps.metrics.render());
  });
}

function mayBecauseOfToken(request: FastifyRequest, token: string | null): boolean {
  return token !== null && bearsToken(request.headers.authorization, token);
}
