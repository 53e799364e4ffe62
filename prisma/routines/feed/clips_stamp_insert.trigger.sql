create or replace trigger clips_stamp_insert before insert on millrace.clips for each row
when (new.changed_xid is distinct from pg_current_xact_id())
execute function millrace.stamp_change();
