-- How many jobs run, counted up to `p_most`: of a definition, of a tenant (p_definition_id null), or of both
-- together. A lease that has ended still counts while nobody has taken the job back. Index: jobs_running_idx.
create or replace function millrace.running_count(p_tenant_id uuid, p_definition_id uuid, p_most integer)
returns integer language plpgsql volatile as $$
begin
  if p_tenant_id is null then
    return (select count(*) from (
      select from millrace.jobs j where j.definition_id = p_definition_id and j.status = 'running' limit p_most) r);
  elsif p_definition_id is null then
    -- Definition by definition: the index begins with it.
    return (select count(*) from (
      select from millrace.job_definitions d cross join lateral (
        select from millrace.jobs j
        where j.definition_id = d.id and j.tenant_id = p_tenant_id and j.status = 'running' limit p_most) o
      limit p_most) r);
  end if;
  return (select count(*) from (
    select from millrace.jobs j
    where j.definition_id = p_definition_id and j.tenant_id = p_tenant_id and j.status = 'running' limit p_most) r);
end $$;
