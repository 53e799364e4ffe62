import { statement } from '../../statement.ts';

/** Sets a limit's columns when its declaration has changed, and leaves them as they are otherwise. */
const declared = (limit: string, columns: readonly string[]): string =>
  columns
    .map(
      (column) =>
        `${column} = case when excluded.declared_limits -> '${limit}' is distinct from coalesce(d.declared_limits -> '${limit}', 'null')
                          then excluded.${column} else d.${column} end`,
    )
    .join(',\n    ');

/**
 * Writes the definitions declared in code. Locks their rows; touches none that is already as declared, so that many
 * processes starting at once do not wait for each other. An operator's is_active and paused_at stay as they are; so does
 * what an operator set of $11, the limits and the retention, until their declaration itself changes.
 * Index: job_definitions_key_key.
 */
export const syncDefinitions = statement(
  'sync_definitions',
  `
insert into millrace.job_definitions as d
  (key, description, arg_schema, timeout_seconds, max_attempts, lease_seconds, retry_policy, max_snoozes, enqueue_role,
   snooze_deadline_seconds, max_running, max_running_per_tenant, rate_limit_count, rate_limit_period_seconds,
   rate_limit_per_tenant_count, rate_limit_per_tenant_period_seconds, retention_seconds, declared_limits)
select t.key, t.description, t.arg_schema, t.timeout_seconds, t.max_attempts, t.lease_seconds, t.retry_policy, t.max_snoozes,
       t.enqueue_role, t.snooze_deadline_seconds,
       (l ->> 'maxRunning')::integer, (l ->> 'maxRunningPerTenant')::integer,
       (l -> 'rateLimit' ->> 'count')::integer, (l -> 'rateLimit' ->> 'periodSeconds')::integer,
       (l -> 'rateLimitPerTenant' ->> 'count')::integer, (l -> 'rateLimitPerTenant' ->> 'periodSeconds')::integer,
       (l ->> 'retentionSeconds')::bigint, l
from unnest($1::text[], $2::text[], $3::jsonb[], $4::integer[], $5::integer[], $6::integer[], $7::jsonb[], $8::integer[], $9::text[],
            $10::integer[], $11::jsonb[])
  as t (key, description, arg_schema, timeout_seconds, max_attempts, lease_seconds, retry_policy, max_snoozes, enqueue_role,
        snooze_deadline_seconds, l)
order by t.key
on conflict (key) do update
set description = excluded.description, arg_schema = excluded.arg_schema, timeout_seconds = excluded.timeout_seconds,
    max_attempts = excluded.max_attempts, lease_seconds = excluded.lease_seconds, retry_policy = excluded.retry_policy,
    max_snoozes = excluded.max_snoozes, enqueue_role = excluded.enqueue_role,
    snooze_deadline_seconds = excluded.snooze_deadline_seconds,
    ${declared('maxRunning', ['max_running'])},
    ${declared('maxRunningPerTenant', ['max_running_per_tenant'])},
    ${declared('rateLimit', ['rate_limit_count', 'rate_limit_period_seconds'])},
    ${declared('rateLimitPerTenant', ['rate_limit_per_tenant_count', 'rate_limit_per_tenant_period_seconds'])},
    ${declared('retentionSeconds', ['retention_seconds'])},
    declared_limits = excluded.declared_limits,
    updated_at = now()
where (d.description, d.arg_schema, d.timeout_seconds, d.max_attempts, d.lease_seconds, d.retry_policy, d.max_snoozes, d.enqueue_role,
       d.snooze_deadline_seconds, d.declared_limits)
  is distinct from
  (excluded.description, excluded.arg_schema, excluded.timeout_seconds, excluded.max_attempts, excluded.lease_seconds,
   excluded.retry_policy, excluded.max_snoozes, excluded.enqueue_role, excluded.snooze_deadline_seconds, excluded.declared_limits)`,
);
