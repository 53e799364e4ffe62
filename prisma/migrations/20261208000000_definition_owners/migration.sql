-- Cannot run beside the previous version: its processes write `declared_limits` when they start.
-- Each setting of a definition has one owner: what code declares stands in `declared`, what an operator has set in `override`, and the
-- columns hold what is in force, which is the override where there is one.

alter table millrace.job_definitions
  -- By the names of the API; null: no code declares the definition.
  add column declared    jsonb,
  add column override    jsonb not null default '{}'::jsonb check (jsonb_typeof(override) = 'object'),
  -- Nothing is enqueued of it and nothing claimed.
  add column archived_at timestamptz;

update millrace.job_definitions
set declared = declared_limits || jsonb_build_object(
      'description', description, 'payloadSchema', arg_schema, 'timeoutSeconds', timeout_seconds, 'maxAttempts', max_attempts,
      'leaseSeconds', lease_seconds, 'retryPolicy', retry_policy, 'maxSnoozes', max_snoozes, 'enqueueRole', enqueue_role,
      'snoozeDeadlineSeconds', snooze_deadline_seconds),
    override =
      case when to_jsonb(max_running) is distinct from nullif(declared_limits -> 'maxRunning', 'null'::jsonb)
           then jsonb_build_object('maxRunning', max_running) else '{}'::jsonb end
      || case when to_jsonb(max_running_per_tenant) is distinct from nullif(declared_limits -> 'maxRunningPerTenant', 'null'::jsonb)
           then jsonb_build_object('maxRunningPerTenant', max_running_per_tenant) else '{}'::jsonb end
      || case when to_jsonb(rate_limit_count) is distinct from nullif(declared_limits -> 'rateLimit' -> 'count', 'null'::jsonb)
                or to_jsonb(rate_limit_period_seconds) is distinct from nullif(declared_limits -> 'rateLimit' -> 'periodSeconds', 'null'::jsonb)
           then jsonb_build_object('rateLimit', case when rate_limit_count is not null then
                  jsonb_build_object('count', rate_limit_count, 'periodSeconds', rate_limit_period_seconds) end) else '{}'::jsonb end
      || case when to_jsonb(rate_limit_per_tenant_count) is distinct from nullif(declared_limits -> 'rateLimitPerTenant' -> 'count', 'null'::jsonb)
                or to_jsonb(rate_limit_per_tenant_period_seconds)
                   is distinct from nullif(declared_limits -> 'rateLimitPerTenant' -> 'periodSeconds', 'null'::jsonb)
           then jsonb_build_object('rateLimitPerTenant', case when rate_limit_per_tenant_count is not null then
                  jsonb_build_object('count', rate_limit_per_tenant_count, 'periodSeconds', rate_limit_per_tenant_period_seconds) end)
           else '{}'::jsonb end
      || case when to_jsonb(retention_seconds) is distinct from nullif(declared_limits -> 'retentionSeconds', 'null'::jsonb)
           then jsonb_build_object('retentionSeconds', retention_seconds) else '{}'::jsonb end
      || case when is_active then '{}'::jsonb else '{"isActive": false}'::jsonb end;

alter table millrace.job_definitions drop column declared_limits;
