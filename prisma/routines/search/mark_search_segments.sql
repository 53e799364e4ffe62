-- owner: worker
-- Marks what a statement wrote, by any role. It becomes searchable with the next refresh.
create or replace function millrace.mark_search_segments() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp set enable_seqscan = off set row_security = on as $$
begin
  insert into millrace.search_pending (tenant_id, video_id, segment_id)
  select c.tenant_id, c.video_id, c.id from changed c order by c.tenant_id, c.video_id, c.id
  on conflict do nothing;
  return null;
end $$;

revoke all on function millrace.mark_search_segments from public;
