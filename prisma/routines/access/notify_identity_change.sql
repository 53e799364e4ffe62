-- Wakes the processes that cache keys, members and revocations.
create or replace function millrace.notify_identity_change() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if millrace.can_notify() then
    perform pg_notify('millrace_identity', coalesce(new.tenant_id, old.tenant_id)::text);
  end if;
  return null;
end $$;
