import type { JobDefinition } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/**
 * A definition that no code declares: key $1, settings in force $2 and as given $3, as JSON objects. Index:
 * job_definitions_key_key.
 */
export const insertDefinition = statement(
  'insert_definition',
  `
insert into millrace.job_definitions
  (key, description, arg_schema, timeout_seconds, max_attempts, lease_seconds, retry_policy, max_snoozes, snooze_deadline_seconds,
   enqueue_role, is_active, max_running, max_running_per_tenant, rate_limit_count, rate_limit_period_seconds,
   rate_limit_per_tenant_count, rate_limit_per_tenant_period_seconds, retention_seconds, override)
select $1, l ->> 'description', l -> 'payloadSchema', (l ->> 'timeoutSeconds')::integer, (l ->> 'maxAttempts')::integer,
       (l ->> 'leaseSeconds')::integer, l -> 'retryPolicy', (l ->> 'maxSnoozes')::integer, (l ->> 'snoozeDeadlineSeconds')::integer,
       l ->> 'enqueueRole', (l ->> 'isActive')::boolean, (l ->> 'maxRunning')::integer, (l ->> 'maxRunningPerTenant')::integer,
       (l -> 'rateLimit' ->> 'count')::integer, (l -> 'rateLimit' ->> 'periodSeconds')::integer,
       (l -> 'rateLimitPerTenant' ->> 'count')::integer, (l -> 'rateLimitPerTenant' ->> 'periodSeconds')::integer,
       (l ->> 'retentionSeconds')::bigint, $3::jsonb
from (select $2::jsonb) s (l)
returning id`,
);

export type InsertedDefinitionRow = Columns<JobDefinition, 'id'>;
