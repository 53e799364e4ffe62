import { statement } from '../../statement.ts';

/**
 * Settings in force ($2) and an operator's own ($3), as JSON objects, of a definition that the transaction
 * holds (lock_definition).
 * Index: job_definitions_pkey.
 */
export const updateDefinition = statement(
  'update_definition',
  `
update millrace.job_definitions d
set description = l ->> 'description', arg_schema = l -> 'payloadSchema', timeout_seconds = (l ->> 'timeoutSeconds')::integer,
    max_attempts = (l ->> 'maxAttempts')::integer, lease_seconds = (l ->> 'leaseSeconds')::integer, retry_policy = l -> 'retryPolicy',
    max_snoozes = (l ->> 'maxSnoozes')::integer, snooze_deadline_seconds = (l ->> 'snoozeDeadlineSeconds')::integer,
    enqueue_role = l ->> 'enqueueRole', is_active = (l ->> 'isActive')::boolean and d.archived_at is null,
    max_running = (l ->> 'maxRunning')::integer, max_running_per_tenant = (l ->> 'maxRunningPerTenant')::integer,
    rate_limit_count = (l -> 'rateLimit' ->> 'count')::integer,
    rate_limit_period_seconds = (l -> 'rateLimit' ->> 'periodSeconds')::integer,
    rate_limit_per_tenant_count = (l -> 'rateLimitPerTenant' ->> 'count')::integer,
    rate_limit_per_tenant_period_seconds = (l -> 'rateLimitPerTenant' ->> 'periodSeconds')::integer,
    retention_seconds = (l ->> 'retentionSeconds')::bigint, override = $3::jsonb, updated_at = now()
from (select $2::jsonb) s (l)
where d.id = $1`,
);
