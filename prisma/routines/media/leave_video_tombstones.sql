-- Leaves a trace of each deleted video, for the feed.
create or replace function millrace.leave_video_tombstones() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  insert into millrace.media_tombstones (id, kind, tenant_id, created_by)
  select id, 'video', tenant_id, owner_id from gone
  on conflict (id) do nothing;
  return null;
end $$;
