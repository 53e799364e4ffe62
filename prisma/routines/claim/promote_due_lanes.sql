-- As promote_due_jobs, N of each lane: behind one lane's hundred thousand that are due at the same moment,
-- others' would wait until those are ready. Reads every lane that has delayed jobs. Locks the same. Index:
-- jobs_ready_idx.
create or replace function millrace.promote_due_lanes(p_each integer) returns integer
language plpgsql volatile set plan_cache_mode = force_generic_plan as $$
declare
  v_at    constant timestamptz := clock_timestamp();
  v_count integer;
begin
  with recursive lane (tenant_id, definition_id) as (
    (select j.tenant_id, j.definition_id from millrace.jobs j
     where j.status = 'queued' and j.pending_dependencies = 0 and j.is_delayed
     order by j.tenant_id, j.definition_id limit 1)
    union all
    select n.tenant_id, n.definition_id
    from lane l
    cross join lateral (
      select j.tenant_id, j.definition_id from millrace.jobs j
      where j.status = 'queued' and j.pending_dependencies = 0 and j.is_delayed
        and (j.tenant_id, j.definition_id) > (l.tenant_id, l.definition_id)
      order by j.tenant_id, j.definition_id limit 1
    ) n
  ), due as materialized (
    select j.id
    from lane l
    cross join lateral (
      select j.id from millrace.jobs j
      where j.tenant_id = l.tenant_id and j.definition_id = l.definition_id
        and j.status = 'queued' and j.pending_dependencies = 0 and j.is_delayed and j.scheduled_for <= v_at
      order by j.priority, j.scheduled_for, j.id
      limit p_each
      for no key update skip locked
    ) j
  )
  update millrace.jobs j set is_delayed = false
  where j.id = any (array(select d.id from due d));
  get diagnostics v_count = row_count;
  return v_count;
end $$;
