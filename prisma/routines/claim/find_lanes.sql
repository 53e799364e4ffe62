-- The next lanes from a place on, in order, at most `p_most`: those that can be served, are not paused, have
-- a ready job and room under their limits as far as a look without locks can say. Locks nothing. Index:
-- jobs_ready_idx.
create or replace function millrace.find_lanes(
  p_seek_tenant uuid, p_seek_definition uuid, p_end_tenant uuid, p_end_definition uuid,
  p_served uuid[], p_ahead_ids uuid[], p_only_ahead boolean, p_most integer,
  p_mark_tenants uuid[], p_mark_definitions uuid[]
) returns millrace.claim_lane[] language plpgsql volatile set plan_cache_mode = force_generic_plan
as $$
declare
  c_last  constant uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  v_at    constant timestamptz := clock_timestamp();
  v_found millrace.claim_lane[];
begin
  with recursive lane (tenant_id, definition_id, next_definition_id, is_due) as (
    select p_seek_tenant, null::uuid, p_seek_definition, false
    union all
    select n.tenant_id, n.definition_id,
           -- Leaps over what is not served: to the next definition that is, or past this tenant.
           coalesce((select s from unnest(p_served) s where s > n.definition_id order by s limit 1), c_last),
           n.is_due
    from lane l
    -- A lane with a mark is taken for there, not looked for: its first entries may be thousands of dead ones.
    left join lateral (
      select k.tenant_id, k.definition_id from unnest(p_mark_tenants, p_mark_definitions) k (tenant_id, definition_id)
      where (k.tenant_id, k.definition_id) >= (l.tenant_id, l.next_definition_id)
        and (k.tenant_id, k.definition_id) < (p_end_tenant, p_end_definition)
      order by 1, 2 limit 1
    ) k on true
    left join lateral (
      select j.tenant_id, j.definition_id, j.scheduled_for <= v_at as is_due from millrace.jobs j
      where j.status = 'queued' and j.pending_dependencies = 0 and not j.is_delayed
        and (j.tenant_id, j.definition_id) >= (l.tenant_id, l.next_definition_id)
        and (j.tenant_id, j.definition_id) < (coalesce(k.tenant_id, p_end_tenant), coalesce(k.definition_id, p_end_definition))
      order by j.tenant_id, j.definition_id limit 1
    ) p on true
    cross join lateral (
      select coalesce(p.tenant_id, k.tenant_id) as tenant_id, coalesce(p.definition_id, k.definition_id) as definition_id,
             coalesce(p.is_due, false) as is_due
    ) n
    where n.tenant_id is not null
  )
  select array_agg(f.lane order by f.tenant_id, f.definition_id) into v_found
  from (
    select l.tenant_id, l.definition_id,
           row(l.tenant_id, l.definition_id, t.weight, x.is_limited, x.is_marked,
               d.max_running, d.rate_limit_count, d.rate_limit_period_seconds,
               t.max_running, t.rate_limit_count, t.rate_limit_period_seconds,
               o.max_running, o.rate_limit_count, o.rate_limit_period_seconds)::millrace.claim_lane as lane
    from lane l
    cross join lateral (
      select t.weight, t.max_running, t.rate_limit_count, t.rate_limit_period_seconds from millrace.tenants t
      where t.id = l.tenant_id and t.paused_at is null and t.deleted_at is null limit 1
    ) t
    cross join lateral (
      select d.max_running, d.rate_limit_count, d.rate_limit_period_seconds, d.max_running_per_tenant,
             d.rate_limit_per_tenant_count, d.rate_limit_per_tenant_period_seconds
      from millrace.job_definitions d where d.id = l.definition_id limit 1
    ) d
    left join lateral (
      select q.max_running, q.rate_limit_count, q.rate_limit_period_seconds from millrace.lane_limits q
      where q.tenant_id = l.tenant_id and q.definition_id = l.definition_id limit 1
    ) q on true
    cross join lateral (
      select coalesce(q.max_running, d.max_running_per_tenant) as max_running,
             coalesce(q.rate_limit_count, d.rate_limit_per_tenant_count) as rate_limit_count,
             coalesce(q.rate_limit_period_seconds, d.rate_limit_per_tenant_period_seconds) as rate_limit_period_seconds
    ) o
    cross join lateral (
      select num_nonnulls(d.max_running, d.rate_limit_count, t.max_running, t.rate_limit_count, o.max_running, o.rate_limit_count) > 0
               as is_limited,
             exists (select from unnest(p_mark_tenants, p_mark_definitions) k (tenant_id, definition_id)
                     where k.tenant_id = l.tenant_id and k.definition_id = l.definition_id) as is_marked
    ) x
    where l.definition_id = any (p_served)
      and (not p_only_ahead or (not x.is_limited and l.definition_id = any (p_ahead_ids)))
      -- Not EXISTS, which the planner may answer by reading every waiting job of all lanes into a hash table
      -- first.
      and (x.is_marked or l.is_due or (
        select true from millrace.jobs j
        where j.tenant_id = l.tenant_id and j.definition_id = l.definition_id
          and j.status = 'queued' and j.pending_dependencies = 0 and not j.is_delayed and j.scheduled_for <= v_at limit 1))
      -- Looks as has_room does. The counts stand here and not in a call: a thousand calls cost more than a
      -- thousand counts.
      and (t.max_running is null or t.max_running > (select count(*) from (
        select from millrace.job_definitions i cross join lateral (
          select from millrace.jobs j
          where j.definition_id = i.id and j.tenant_id = l.tenant_id and j.status = 'running' limit t.max_running) r
        limit t.max_running) r))
      and (o.max_running is null or o.max_running > (select count(*) from (
        select from millrace.jobs j
        where j.definition_id = l.definition_id and j.tenant_id = l.tenant_id and j.status = 'running' limit o.max_running) r))
      and (t.rate_limit_count is null
           or millrace.has_room('tenant', l.tenant_id, null, null, t.rate_limit_count, t.rate_limit_period_seconds))
      and (o.rate_limit_count is null
           or millrace.has_room('lane', l.tenant_id, l.definition_id, null, o.rate_limit_count, o.rate_limit_period_seconds))
    limit p_most
  ) f;
  return coalesce(v_found, '{}');
end $$;
