-- owner: worker
-- A title is searchable as soon as it is written: there is nothing to collect.
create or replace function millrace.index_search_titles() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp set row_security = on set enable_seqscan = off as $$
declare
  v_tenant  uuid;
begin
  for v_tenant in select distinct c.tenant_id from changed c loop
    perform millrace.search_segments(v_tenant, array(select c.id from changed c where c.tenant_id = v_tenant));
  end loop;
  return null;
end $$;

revoke all on function millrace.index_search_titles from public;
