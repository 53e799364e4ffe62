import type { GraphqlDeps } from '../context.ts';

interface ChangeOfTenant {
  readonly tenantId: string;
  readonly jobId?: string;
}

/**
 * The last look before an event goes out to subscribers of a tenant. The feed selects by tenant already; if
 * it ever did not, this says so and drops.
 */
export function isOfTenant(
  event: { readonly kind: string; readonly change?: ChangeOfTenant },
  tenantId: string,
  { metrics, log }: Pick<GraphqlDeps, 'metrics' | 'log'>,
): boolean {
  const { change } = event;
  if (change === undefined || change.tenantId === tenantId) return true;
  metrics.tenantAssertViolated();
  log.error(
    {
      kind: event.kind,
      ...(change.jobId === undefined ? {} : { job_id: change.jobId }),
      tenant_id: change.tenantId,
      subscriber_tenant_id: tenantId,
    },
    'subscription: an event of another tenant was dropped',
  );
  return false;
}
