-- For workers of an older version, which delete from the name that is a view now.
create or replace function millrace.prune_usage_event() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  delete from millrace.stored_usage_events e where e.tenant_id = old.tenant_id and e.created_at = old.created_at and e.id = old.id;
  return case when found then old end;
end $$;
