-- owner: worker
-- Indexes a video's changed title.
create or replace function millrace.index_search_title() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp set row_security = on set enable_seqscan = off as $$
begin
  perform millrace.search_segments(new.tenant_id, array[new.id]);
  return null;
end $$;

revoke all on function millrace.index_search_title from public;
