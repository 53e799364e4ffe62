-- Ends up to p_limit doomed jobs without a worker, and what their end dooms in turn, level by level. What is
-- over the limit stays doomed for the next call. The caller applies the effects of each end in the same
-- transaction. `released`: something became ready to run; the same on every row.
-- Locks the first level with skip locked (a worker may have claimed it, and then ends it itself), the rest as
-- release_dependents. Index: jobs_doomed_idx.
create or replace function millrace.end_doomed_jobs(p_limit integer)
returns table (ended millrace.jobs, definition_key text, released boolean)
language plpgsql volatile set plan_cache_mode = force_generic_plan as $$
declare
  v_level    uuid[];
  v_ended    uuid[] := '{}';
  v_released boolean := false;
begin
  select array_agg(d.id) into v_level
  from (select j.id from millrace.jobs j where j.status = 'queued' and j.cancel_requested_at is not null
        order by j.id limit p_limit for no key update skip locked) d;
  while v_level is not null and cardinality(v_ended) < p_limit loop
    v_level := v_level[1 : p_limit - cardinality(v_ended)];
    update millrace.jobs j
    set status = 'canceled', reason = coalesce(j.reason, 'canceled'), finished_at = clock_timestamp(),
        version = j.version + 1, changed_xid = pg_current_xact_id()
    where j.id = any (v_level);
    v_ended := v_ended || v_level;
    select array_agg(r.job_id order by r.job_id) filter (where r.action = 'doomed'),
           v_released or coalesce(bool_or(r.action = 'ready'), false)
    into v_level, v_released
    from millrace.release_dependents(v_level) r;
  end loop;
  return query
  select j, d.key, v_released from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id
  where j.id = any (v_ended) order by j.id;
end $$;
