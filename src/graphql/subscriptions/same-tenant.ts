import type { FeedEvent } from '../../events/change.ts';
import type { GraphqlDeps } from '../context.ts';

/**
 * The last look before an event goes out to subscribers of a tenant. The feed selects by tenant already; if it ever did not, this
 * says so and drops.
 */
export function isOfTenant(
  event: FeedEvent,
  tenantId: string,
  { metrics, log }: Pick<GraphqlDeps, 'metrics' | 'log'>,
): boolean {
  if (event.kind !== 'job' || event.change.tenantId === tenantId) return true;
  metrics.tenantAssertViolated();
  log.error(
    { job_id: event.change.jobId, tenant_id: event.change.tenantId, subscriber_tenant_id: tenantId },
    'subscription: an event of another tenant was dropped',
  );
  return false;
}
