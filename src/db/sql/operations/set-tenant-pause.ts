import { statement } from '../../statement.ts';

/**
 * Pauses ($2 true) or resumes a tenant that the transaction holds (lock_tenant). Crosses tenants. Index:
 * tenants_pkey.
 */
export const setTenantPause = statement(
  'set_tenant_pause',
  `
update millrace.tenants
set paused_at = case when $2::boolean then clock_timestamp() end, updated_at = now()
where id = $1`,
);
