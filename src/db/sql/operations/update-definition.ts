import { statement } from '../../statement.ts';

/** An operator's settings of a definition that the transaction holds (lock_definition). Index: job_definitions_pkey. */
export const updateDefinition = statement(
  'update_definition',
  `
update millrace.job_definitions
set is_active = $2, max_running = $3, max_running_per_tenant = $4, rate_limit_count = $5, rate_limit_period_seconds = $6,
    rate_limit_per_tenant_count = $7, rate_limit_per_tenant_period_seconds = $8, retention_seconds = $9, updated_at = now()
where id = $1`,
);
