-- Lets go or dooms what waits for jobs that this transaction has moved to a final state. To be called after
-- the move, as a statement of its own: in the same one, a job that was enqueued behind a parent while that
-- ended is in no snapshot and waits forever. A doomed job is queued, with cancel_requested_at and a reason:
-- end_doomed_jobs ends it. Locks the dependents in id order, after their parents. Index:
-- job_dependencies_parent_idx.
create or replace function millrace.release_dependents(p_parent_ids uuid[])
returns table (job_id uuid, tenant_id uuid, action text)
language plpgsql volatile set plan_cache_mode = force_generic_plan set enable_nestloop = on
as $$
declare
  v_children uuid[];
begin
  select array_agg(distinct d.job_id) into v_children
  from millrace.job_dependencies d where d.depends_on_id = any (p_parent_ids);
  if v_children is not null then
    return query select r.job_id, r.tenant_id, r.action from millrace.recount_dependencies(v_children, p_parent_ids) r;
  end if;
end $$;
