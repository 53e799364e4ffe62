-- Leaves a trace of each deleted link, for the feed.
create or replace function millrace.leave_link_tombstones() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  insert into millrace.media_tombstones (id, kind, tenant_id, created_by)
  select id, 'link', tenant_id, created_by from gone
  on conflict (id) do nothing;
  return null;
end $$;
