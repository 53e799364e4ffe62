-- Wakes the processes that cache tenants.
create or replace function millrace.notify_tenant_change() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if millrace.can_notify() then
    perform pg_notify('millrace_identity', new.id::text);
  end if;
  return null;
end $$;
