import type { FeedEvent } from '../../events/change.ts';
import type { GraphqlContext } from '../context.ts';

/** The last look before an event goes out. The feed selects by tenant already; if it ever did not, this says so and drops. */
export function isOfTenant(event: FeedEvent, context: GraphqlContext): boolean {
  if (event.kind !== 'job' || event.change.tenantId === context.actor.tenantId) return true;
  context.deps.log.error(
    {
      job_id: event.change.jobId,
      tenant_id: event.change.tenantId,
      subscriber_tenant_id: context.actor.tenantId,
    },
    'subscription: an event of another tenant was dropped',
  );
  return false;
}
