-- Leaves a trace of each deleted call, for the feed, and records that its files are to be removed.
create or replace function millrace.leave_call_tombstones() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  insert into millrace.media_tombstones (id, kind, tenant_id, created_by)
  select id, 'call', tenant_id, created_by from gone
  on conflict (id) do nothing;
  insert into millrace.deleted_media (id, kind, tenant_id, video_id)
  select id, 'call', tenant_id, id from gone
  on conflict (id) do nothing;
  return null;
end $$;
