-- After runs ended: null, `ready` when jobs may run now (that waited for these, or for room under a limit),
-- `doomed` when some are to be ended. Of the jobs that are over for good, and of all runs the tenants and
-- definitions.
create or replace function millrace.release_waiting(p_final uuid[], p_tenants uuid[], p_definitions uuid[]) returns text
language plpgsql volatile set plan_cache_mode = force_generic_plan as $$
declare
  v_released text;
begin
  if exists (select from millrace.job_dependencies d where d.depends_on_id = any (p_final)) then
    select case when bool_or(r.action = 'doomed') then 'doomed' when count(*) > 0 then 'ready' end into v_released
    from millrace.release_dependents(p_final) r;
  end if;
  -- A run that ends under a limit makes room for the next: a worker that waits for that is to look now, not
  -- at its next poll.
  if v_released is null and exists (
    select from millrace.limit_gates g
    where (g.definition_id is null or g.definition_id = any (p_definitions)) and (g.tenant_id is null or g.tenant_id = any (p_tenants))
  ) then
    v_released := 'ready';
  end if;
  return v_released;
end $$;
