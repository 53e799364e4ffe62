-- As `stamp_change`, but for a lease renewed by our own heartbeat and a delayed job that our own claim makes
-- ready, which are no news.
create or replace function millrace.stamp_job_change() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if new.version = old.version
     and ((old.status = 'running' and new.status = 'running' and new.lease_expires_at is distinct from old.lease_expires_at)
       or (old.status = 'queued' and new.status = 'queued' and old.is_delayed and not new.is_delayed))
     and current_setting('millrace.checked', true) is not distinct from 'by_caller' and current_user = :'worker' then
    return new;
  end if;
  new.version := old.version + 1;
  new.changed_xid := pg_current_xact_id();
  return new;
end $$;
