-- Brings back jobs that the transaction holds and that a parent's end had doomed or ended, unless another
-- parent still stands against them; those that wait only are recounted. Returns what had ended and is
-- queued again.
create or replace function millrace.revive_held_jobs(p_job_ids uuid[]) returns setof uuid
language plpgsql volatile set plan_cache_mode = force_generic_plan as $$
begin
  return query
  with verdict as materialized (
    select c.id, count(*) filter (where p.status in ('queued', 'running'))::integer as pending
    from unnest(p_job_ids) as c (id)
    left join millrace.job_dependencies d on d.job_id = c.id
    left join millrace.jobs p on p.id = d.depends_on_id
    group by c.id
    having not coalesce(bool_or(millrace.ended_badly(p.status, p.reason) and d.policy <> 'run'), false)
  ), moved as (
    update millrace.jobs j
    set status = 'queued',
        pending_dependencies = v.pending,
        attempt_count = case when j.status = 'canceled' then 0 else j.attempt_count end,
        lost_lease_count = case when j.status = 'canceled' then 0 else j.lost_lease_count end,
        snooze_count = case when j.status = 'canceled' then 0 else j.snooze_count end,
        scheduled_for = greatest(j.scheduled_for, clock_timestamp()),
        finished_at = null,
        cancel_requested_at = null,
        reason = null,
        version = j.version + 1,
        changed_xid = pg_current_xact_id()
    from verdict v
    where j.id = v.id
      and ((j.status = 'canceled' and j.reason in ('parent_failed', 'skipped'))
        or (j.status = 'queued' and j.cancel_requested_at is not null and j.reason in ('parent_failed', 'skipped'))
        or (j.status = 'queued' and j.pending_dependencies > 0 and j.pending_dependencies <> v.pending))
    returning j.id, old.status as was
  )
  select m.id from moved m where m.was = 'canceled';
end $$;
