-- Recounts what waiting jobs wait for, and lets them go or dooms them. Locks the jobs in id order. A
-- policy acts for parents among p_ended_ids only (null: all of them): a job that an operator retried although
-- a parent had failed keeps its retry.
-- Indexes: jobs_pkey, job_dependencies_pkey.
create or replace function millrace.recount_dependencies(p_job_ids uuid[], p_ended_ids uuid[])
returns table (job_id uuid, tenant_id uuid, action text)
language plpgsql volatile set plan_cache_mode = force_generic_plan as $$
begin
  -- No status in the WHERE: a job that is canceled in this snapshot may be about to be queued again by who
  -- holds it.
  perform from millrace.jobs j where j.id = any (p_job_ids) order by j.id for no key update;

  return query
  with verdict as materialized (
    select c.id,
           count(*) filter (where p.status in ('queued', 'running'))::integer as pending,
           coalesce(bool_or(bad.acts and d.policy = 'cancel'), false) as cancels,
           coalesce(bool_or(bad.acts and d.policy = 'skip'), false) as skips
    from unnest(p_job_ids) as c (id)
    left join millrace.job_dependencies d on d.job_id = c.id
    left join millrace.jobs p on p.id = d.depends_on_id
    left join lateral (
      select millrace.ended_badly(p.status, p.reason) and (p_ended_ids is null or p.id = any (p_ended_ids)) as acts
    ) bad on true
    group by c.id
  ), moved as (
    update millrace.jobs j
    set pending_dependencies = case when v.cancels or v.skips then 0 else v.pending end,
        cancel_requested_at = case when v.cancels or v.skips then clock_timestamp() else j.cancel_requested_at end,
        reason = case when v.cancels then 'parent_failed' when v.skips then 'skipped' else j.reason end,
        scheduled_for = case when v.cancels or v.skips or v.pending = 0 then greatest(j.scheduled_for, clock_timestamp())
                             else j.scheduled_for end,
        version = j.version + 1,
        changed_xid = pg_current_xact_id()
    from verdict v
    where j.id = v.id and j.status = 'queued' and j.pending_dependencies > 0
      and (v.cancels or v.skips or v.pending <> j.pending_dependencies)
    returning j.id, j.tenant_id, v.pending,
              case when v.cancels or v.skips then 'doomed' when v.pending = 0 then 'ready' end as action
  )
  select m.id, m.tenant_id, m.action from moved m where m.action is not null;
end $$;
