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

-- A setting that was changed by SQL alone has an operator for its owner, as one that was changed through the API.
create function millrace.own_definition_settings() returns trigger language plpgsql set search_path = '' as $$
begin
  if new.declared is distinct from old.declared or new.override is distinct from old.override
     or new.archived_at is distinct from old.archived_at then
    return new;
  end if;
  new.override := old.override
    || case when new.description is distinct from old.description then jsonb_build_object('description', new.description) else '{}'::jsonb end
    || case when new.arg_schema is distinct from old.arg_schema then jsonb_build_object('payloadSchema', new.arg_schema) else '{}'::jsonb end
    || case when new.timeout_seconds is distinct from old.timeout_seconds
            then jsonb_build_object('timeoutSeconds', new.timeout_seconds) else '{}'::jsonb end
    || case when new.max_attempts is distinct from old.max_attempts then jsonb_build_object('maxAttempts', new.max_attempts) else '{}'::jsonb end
    || case when new.lease_seconds is distinct from old.lease_seconds
            then jsonb_build_object('leaseSeconds', new.lease_seconds) else '{}'::jsonb end
    || case when new.retry_policy is distinct from old.retry_policy then jsonb_build_object('retryPolicy', new.retry_policy) else '{}'::jsonb end
    || case when new.max_snoozes is distinct from old.max_snoozes then jsonb_build_object('maxSnoozes', new.max_snoozes) else '{}'::jsonb end
    || case when new.snooze_deadline_seconds is distinct from old.snooze_deadline_seconds
            then jsonb_build_object('snoozeDeadlineSeconds', new.snooze_deadline_seconds) else '{}'::jsonb end
    || case when new.enqueue_role is distinct from old.enqueue_role then jsonb_build_object('enqueueRole', new.enqueue_role) else '{}'::jsonb end
    || case when new.max_running is distinct from old.max_running then jsonb_build_object('maxRunning', new.max_running) else '{}'::jsonb end
    || case when new.max_running_per_tenant is distinct from old.max_running_per_tenant
            then jsonb_build_object('maxRunningPerTenant', new.max_running_per_tenant) else '{}'::jsonb end
    || case when (new.rate_limit_count, new.rate_limit_period_seconds)
                 is distinct from (old.rate_limit_count, old.rate_limit_period_seconds)
            then jsonb_build_object('rateLimit', case when new.rate_limit_count is not null then
                   jsonb_build_object('count', new.rate_limit_count, 'periodSeconds', new.rate_limit_period_seconds) end) else '{}'::jsonb end
    || case when (new.rate_limit_per_tenant_count, new.rate_limit_per_tenant_period_seconds)
                 is distinct from (old.rate_limit_per_tenant_count, old.rate_limit_per_tenant_period_seconds)
            then jsonb_build_object('rateLimitPerTenant', case when new.rate_limit_per_tenant_count is not null then
                   jsonb_build_object('count', new.rate_limit_per_tenant_count, 'periodSeconds', new.rate_limit_per_tenant_period_seconds)
                   end) else '{}'::jsonb end
    || case when new.retention_seconds is distinct from old.retention_seconds
            then jsonb_build_object('retentionSeconds', new.retention_seconds) else '{}'::jsonb end
    || case when new.is_active is distinct from old.is_active then jsonb_build_object('isActive', new.is_active) else '{}'::jsonb end;
  return new;
end $$;
create trigger own_definition_settings before update on millrace.job_definitions
  for each row execute function millrace.own_definition_settings();
