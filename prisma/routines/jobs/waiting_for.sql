-- owner: worker
-- needs: rate_free_at, running_count
-- What each queued job among these waits for, of the tenant that the transaction names. Reads what the API
-- may not: workers, and how full a limit is that tenants share; of that it says no more than that the limit
-- is reached. `allowed` and `period_seconds`: of the limit or rate in the way. Indexes: jobs_pkey,
-- jobs_running_idx.
create or replace function millrace.waiting_for(p_job_ids uuid[])
returns table (job_id uuid, reason text, scope text, allowed integer, period_seconds integer, until timestamptz)
language sql volatile security definer set search_path = pg_catalog, pg_temp set row_security = on
as $$
  with job as materialized (
    select j.* from millrace.jobs j
    where j.id = any (p_job_ids) and j.tenant_id = millrace.current_tenant_id() and j.status = 'queued'
  ), lane as materialized (
    select d.id as definition_id, d.paused_at as definition_paused_at, d.archived_at,
           coalesce(t.paused_at, t.deleted_at) as tenant_paused_at,
           exists (select from millrace.job_workers w
                   where w.last_seen_at > clock_timestamp() - interval '30 seconds' and w.stopping_at is null
                     and d.key = any (w.definition_keys)) as is_served,
           b.scope, b.allowed, b.period_seconds, b.until
    from (select distinct definition_id from job) l
    join millrace.job_definitions d on d.id = l.definition_id
    join millrace.tenants t on t.id = millrace.current_tenant_id()
    left join millrace.lane_limits q on q.tenant_id = t.id and q.definition_id = d.id
    left join lateral (
      -- The first limit in the way: one that is reached before a rate that is used up.
      select x.scope, x.allowed, x.period_seconds, x.until
      from (
        select 1 as rank, 'definition' as scope, d.max_running as allowed, null::integer as period_seconds, null::timestamptz as until
        where d.max_running is not null and millrace.running_count(null, d.id, d.max_running) >= d.max_running
        union all
        select 2, 'tenant', t.max_running, null, null
        where t.max_running is not null and millrace.running_count(t.id, null, t.max_running) >= t.max_running
        union all
        select 3, 'lane', m.max_running, null, null
        from (select coalesce(q.max_running, d.max_running_per_tenant) as max_running) m
        where m.max_running is not null and millrace.running_count(t.id, d.id, m.max_running) >= m.max_running
        union all
        select 4, r.scope, r.rate, r.period_seconds, f.until
        from (values
          ('definition', null, d.id, d.rate_limit_count, d.rate_limit_period_seconds),
          ('tenant', t.id, null, t.rate_limit_count, t.rate_limit_period_seconds),
          ('lane', t.id, d.id, coalesce(q.rate_limit_count, d.rate_limit_per_tenant_count),
           coalesce(q.rate_limit_period_seconds, d.rate_limit_per_tenant_period_seconds))
        ) r (scope, tenant_id, definition_id, rate, period_seconds)
        cross join lateral (
          select case when r.rate is null then '-infinity'
                      else millrace.rate_free_at(r.scope, r.tenant_id, r.definition_id, r.rate, r.period_seconds) end as until
        ) f
        where f.until > clock_timestamp()
      ) x
      order by x.rank, x.until desc limit 1
    ) b on true
  )
  select j.id, v.reason,
         case v.reason when 'paused' then case when l.archived_at is not null then 'archived'
                                              when l.definition_paused_at is not null then 'definition' else 'tenant' end
                       when 'limit' then l.scope when 'rate' then l.scope end,
         case v.reason when 'dependency' then j.pending_dependencies when 'limit' then l.allowed when 'rate' then l.allowed end,
         case v.reason when 'rate' then l.period_seconds end,
         case v.reason when 'time' then j.scheduled_for when 'rate' then l.until end
  from job j
  join lane l on l.definition_id = j.definition_id
  cross join lateral (
    select case
      when j.cancel_requested_at is not null then 'doomed'
      when j.expires_at <= clock_timestamp() then 'expired'
      when j.pending_dependencies > 0 then 'dependency'
      when l.archived_at is not null or l.definition_paused_at is not null or l.tenant_paused_at is not null then 'paused'
      when j.scheduled_for > clock_timestamp() then 'time'
      when not l.is_served then 'no_worker'
      when l.scope is not null and l.period_seconds is null then 'limit'
      when l.scope is not null then 'rate'
      else 'turn' end as reason
  ) v
$$;

revoke all on function millrace.waiting_for from public;
grant execute on function millrace.waiting_for to :"api", :"admin";
