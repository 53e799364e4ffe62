import { statement } from '../../statement.ts';

/** Settings of a tenant that the transaction holds (lock_tenant). Crosses tenants. Index: tenants_pkey. */
export const updateTenant = statement(
  'update_tenant',
  `
update millrace.tenants
set name = $2, weight = $3, max_running = $4, rate_limit_count = $5, rate_limit_period_seconds = $6, retention_seconds = $7,
    max_stored_bytes = $8, updated_at = now()
where id = $1`,
);
