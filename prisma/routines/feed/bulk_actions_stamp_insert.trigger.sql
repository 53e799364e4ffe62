create or replace trigger bulk_actions_stamp_insert before insert on millrace.bulk_actions for each row
when (new.changed_xid is distinct from pg_current_xact_id())
execute function millrace.stamp_change();
