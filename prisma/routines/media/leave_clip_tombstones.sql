-- Leaves a trace of each deleted clip, for the feed, with the video or call that it was a piece of.
create or replace function millrace.leave_clip_tombstones() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  insert into millrace.media_tombstones (id, kind, tenant_id, video_id, created_by)
  select id, 'clip', tenant_id, coalesce(video_id, call_id), created_by from gone
  on conflict (id) do nothing;
  return null;
end $$;
