create or replace trigger calls_stamp_insert before insert on millrace.calls for each row
when (new.changed_xid is distinct from pg_current_xact_id())
execute function millrace.stamp_change();
