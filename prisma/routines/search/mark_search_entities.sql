-- owner: worker
-- Puts segments whose entities changed into the backlog of the search.
create or replace function millrace.mark_search_entities() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp set enable_seqscan = off set row_security = on as $$
begin
  insert into millrace.search_pending (tenant_id, video_id, segment_id)
  select distinct s.tenant_id, s.video_id, s.id from changed c join millrace.segments s on s.id = c.segment_id
  order by 1, 2, 3
  on conflict do nothing;
  return null;
end $$;

revoke all on function millrace.mark_search_entities from public;
