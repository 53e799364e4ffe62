-- A setting that was changed by SQL alone has an operator for its owner, as one that was changed through the
-- API.
create or replace function millrace.own_definition_settings() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
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
