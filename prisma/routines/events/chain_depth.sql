-- owner: worker
-- How many triggers in a row led to a job: one more than to the event that made it, or that made the job
-- whose end made it (next jobs of pipelines and handlers, at most 20 of them). 0 where no event did. Indexes:
-- jobs_pkey, app_events_pkey.
create or replace function millrace.chain_depth(p_source text, p_source_ref text) returns integer
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp set row_security = on as $$
declare
  v_source text := p_source;
  v_ref    text := p_source_ref;
begin
  for v_hop in 1..20 loop
    if v_ref is null or v_ref !~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' then
      return 0;
    end if;
    if v_source = 'event' then
      return coalesce((select e.chain_depth + 1 from millrace.app_events e where e.id = v_ref::uuid), 0);
    end if;
    if v_source <> 'system' then
      return 0;
    end if;
    select j.source, j.source_ref into v_source, v_ref from millrace.jobs j where j.id = v_ref::uuid;
    if not found then
      return 0;
    end if;
  end loop;
  return 0;
end $$;

revoke all on function millrace.chain_depth from public;
