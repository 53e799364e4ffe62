-- owner: worker
-- Takes deleted videos out of the search.
create or replace function millrace.forget_search_titles() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp set row_security = on set enable_seqscan = off as $$
declare
  v_tenant  uuid;
begin
  delete from millrace.search_pending p using changed c
  where p.tenant_id = c.tenant_id and p.video_id = c.id and p.segment_id = c.id;
  for v_tenant in select distinct c.tenant_id from changed c loop
    perform millrace.forget_search_rows(v_tenant, array(select c.id from changed c where c.tenant_id = v_tenant));
  end loop;
  return null;
end $$;

revoke all on function millrace.forget_search_titles from public;
