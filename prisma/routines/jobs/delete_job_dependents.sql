-- Who deletes a job that has not ended takes it from those that wait for it. Their rows named nobody then, so
-- the next repair let them run, whatever their policy said. A job that is deleted unfinished counts as one
-- that failed: its dependents are canceled or skipped, or go on where their policy is to run all the same.
-- Jobs that had ended when they were deleted have had their effect. By index, a probe for each deleted job,
-- for any role and with a plan of any age.
create or replace function millrace.delete_job_dependents() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
declare
  v_ids        constant uuid[] := array(select g.id from gone g);
  v_unfinished constant uuid[] := array(select g.id from gone g where g.status in ('queued', 'running'));
  v_dependents uuid[];
begin
  insert into millrace.job_tombstones
    (job_id, tenant_id, definition_id, subject_type, subject_id, correlation_id, created_by)
  select id, tenant_id, definition_id, subject_type, subject_id, correlation_id, created_by from gone
  on conflict (job_id) do nothing;
  -- What a tenant used outlives the job: what stood in the row is stored now.
  insert into millrace.stored_usage_events (tenant_id, definition_id, job_id, attempt_no, outcome, wall_ms, cpu_ms, created_at)
  select tenant_id, definition_id, id, run_no, status, wall_ms, cpu_ms, finished_at from gone
  where status = 'succeeded' and wall_ms is not null;
  if cardinality(v_unfinished) > 0 then
    v_dependents := array(select distinct d.job_id from millrace.job_dependencies d where d.depends_on_id = any (v_unfinished));
  end if;
  if cardinality(v_dependents) > 0 then
    perform from millrace.jobs j where j.id = any (v_dependents) order by j.id for no key update;
    -- As recount_dependencies does it, for parents that cannot be read any more.
    update millrace.jobs j
    set pending_dependencies = case when v.cancels or v.skips then 0 else v.pending end,
        cancel_requested_at = case when v.cancels or v.skips then clock_timestamp() else j.cancel_requested_at end,
        reason = case when v.cancels then 'parent_failed' when v.skips then 'skipped' else j.reason end,
        scheduled_for = case when v.cancels or v.skips or v.pending = 0 then greatest(j.scheduled_for, clock_timestamp())
                             else j.scheduled_for end,
        version = j.version + 1,
        changed_xid = pg_current_xact_id()
    from (
      select d.job_id as id,
             count(*) filter (where p.status in ('queued', 'running'))::integer as pending,
             bool_or(d.policy = 'cancel' and d.depends_on_id = any (v_unfinished)) as cancels,
             bool_or(d.policy = 'skip' and d.depends_on_id = any (v_unfinished)) as skips
      from millrace.job_dependencies d left join millrace.jobs p on p.id = d.depends_on_id
      where d.job_id = any (v_dependents)
      group by d.job_id
    ) v
    where j.id = v.id and j.status = 'queued' and j.pending_dependencies > 0;
  end if;
  delete from millrace.stored_attempts where job_id = any (v_ids);
  delete from millrace.job_progress where job_id = any (v_ids);
  delete from millrace.job_dependencies where job_id = any (v_ids);
  delete from millrace.job_dependencies where depends_on_id = any (v_ids);
  update millrace.artifacts set job_id = null where job_id = any (v_ids);
  update millrace.clips set job_id = null where job_id = any (v_ids);
  update millrace.job_files set job_id = null where job_id = any (v_ids);
  -- Rows that nobody ever writes again, so that they may be named by where they lie.
  delete from millrace.tenant_jobs where ctid = any (array(
    select x.ctid from gone g
    cross join lateral (select t.ctid from millrace.tenant_jobs t where t.tenant_id = g.tenant_id and t.job_id = g.id offset 0) x));
  insert into millrace.deleted_job_logs (job_id)
  select g.id from gone g where exists (select from millrace.job_log_lines l where l.job_id = g.id)
  on conflict (job_id) do nothing;
  return null;
end $$;
