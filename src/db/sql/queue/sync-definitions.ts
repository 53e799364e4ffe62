import { statement } from '../../statement.ts';

/** An operator's value stays; the declared one is taken where there is none. */
const owned = (field: string, columns: readonly string[]): string =>
  columns
    .map(
      (column) =>
        `${column} = case when d.override ? '${field}' then d.${column} else excluded.${column} end`,
    )
    .join(',\n    ');

/**
 * Writes what code declares of definitions $1, as JSON objects $2. Locks their rows; touches none that is
 * already as declared, so that many processes starting at once do not wait for each other. Each field has one
 * owner: what an operator has set (`override`), is_active and paused_at stay as they are. A definition that
 * code declares is archived no more.
 * Index: job_definitions_key_key.
 */
export const syncDefinitions = statement(
  'sync_definitions',
  `
insert into millrace.job_definitions as d
  (key, description, arg_schema, timeout_seconds, max_attempts, lease_seconds, retry_policy, max_snoozes, enqueue_role,
   snooze_deadline_seconds, max_running, max_running_per_tenant, rate_limit_count, rate_limit_period_seconds,
   rate_limit_per_tenant_count, rate_limit_per_tenant_period_seconds, retention_seconds, declared)
select t.key, l ->> 'description', l -> 'payloadSchema', (l ->> 'timeoutSeconds')::integer, (l ->> 'maxAttempts')::integer,
       (l ->> 'leaseSeconds')::integer, l -> 'retryPolicy', (l ->> 'maxSnoozes')::integer, l ->> 'enqueueRole',
       (l ->> 'snoozeDeadlineSeconds')::integer,
       (l ->> 'maxRunning')::integer, (l ->> 'maxRunningPerTenant')::integer,
       (l -> 'rateLimit' ->> 'count')::integer, (l -> 'rateLimit' ->> 'periodSeconds')::integer,
       (l -> 'rateLimitPerTenant' ->> 'count')::integer, (l -> 'rateLimitPerTenant' ->> 'periodSeconds')::integer,
       (l ->> 'retentionSeconds')::bigint, l
from unnest($1::text[], $2::jsonb[]) as t (key, l)
order by t.key
on conflict (key) do update
set ${owned('description', ['description'])},
    ${owned('payloadSchema', ['arg_schema'])},
    ${owned('timeoutSeconds', ['timeout_seconds'])},
    ${owned('maxAttempts', ['max_attempts'])},
    ${owned('leaseSeconds', ['lease_seconds'])},
    ${owned('retryPolicy', ['retry_policy'])},
    ${owned('maxSnoozes', ['max_snoozes'])},
    ${owned('enqueueRole', ['enqueue_role'])},
    ${owned('snoozeDeadlineSeconds', ['snooze_deadline_seconds'])},
    ${owned('maxRunning', ['max_running'])},
    ${owned('maxRunningPerTenant', ['max_running_per_tenant'])},
    ${owned('rateLimit', ['rate_limit_count', 'rate_limit_period_seconds'])},
    ${owned('rateLimitPerTenant', ['rate_limit_per_tenant_count', 'rate_limit_per_tenant_period_seconds'])},
    ${owned('retentionSeconds', ['retention_seconds'])},
    declared = excluded.declared,
    archived_at = null,
    is_active = case when d.archived_at is null then d.is_active else coalesce((d.override ->> 'isActive')::boolean, true) end,
    updated_at = now()
where d.declared is distinct from excluded.declared or d.archived_at is not null`,
);
