-- Brings back what the end of jobs had ended that this transaction has put back into the queue, and counts
-- again what those themselves wait for: a parent may have ended since they were canceled. Level by level,
-- until p_limit are back; `is_edge` marks those whose own children are still to be looked at, in a
-- transaction of their own. The caller applies the effects of each requeue. A job whose dedupe key is active
-- again stays as it is. Locks the dependents level by level, each in id order, whatever their status. Index:
-- job_dependencies_parent_idx.
create or replace function millrace.revive_dependents(p_parent_ids uuid[], p_limit integer)
returns table (revived millrace.jobs, definition_key text, is_edge boolean)
language plpgsql volatile set plan_cache_mode = force_generic_plan as $$
declare
  v_level    uuid[] := p_parent_ids;
  v_children uuid[];
  v_plain    uuid[];
  v_keyed    uuid[];
  v_id       uuid;
  v_back     uuid[];
  v_revived  uuid[] := '{}';
begin
  update millrace.jobs j
  set pending_dependencies = c.pending, version = j.version + 1, changed_xid = pg_current_xact_id()
  from (select d.job_id, count(*) filter (where p.status in ('queued', 'running'))::integer as pending
        from millrace.job_dependencies d join millrace.jobs p on p.id = d.depends_on_id
        where d.job_id = any (p_parent_ids)
        group by d.job_id) c
  where j.id = c.job_id and j.status = 'queued' and j.pending_dependencies <> c.pending;

  while cardinality(v_level) > 0 and cardinality(v_revived) < p_limit loop
    select array_agg(distinct d.job_id) into v_children
    from millrace.job_dependencies d where d.depends_on_id = any (v_level);
    v_level := '{}';
    exit when v_children is null;
    perform from millrace.jobs j where j.id = any (v_children) order by j.id for no key update;
    select array_agg(j.id) filter (where j.dedupe_key is null or j.status <> 'canceled'),
           array_agg(j.id) filter (where j.dedupe_key is not null and j.status = 'canceled')
    into v_plain, v_keyed
    from millrace.jobs j where j.id = any (v_children);
    select coalesce(array_agg(r.id), '{}') into v_back from millrace.revive_held_jobs(v_plain) as r (id);
    v_level := v_level || v_back;
    foreach v_id in array coalesce(v_keyed, '{}') loop
      begin
        select coalesce(array_agg(r.id), '{}') into v_back from millrace.revive_held_jobs(array[v_id]) as r (id);
        v_level := v_level || v_back;
      exception when unique_violation then null;
      end;
    end loop;
    v_revived := v_revived || v_level;
  end loop;
  return query
  select j, d.key, j.id = any (v_level)
  from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id
  where j.id = any (v_revived) order by j.id;
end $$;
