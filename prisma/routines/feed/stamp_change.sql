-- Stamps a row for the feed where the statement did not.
create or replace function millrace.stamp_change() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    new.version := old.version + 1;
  end if;
  new.changed_xid := pg_current_xact_id();
  return new;
end $$;
