create or replace trigger bulk_actions_stamp_update before update on millrace.bulk_actions for each row
when (new.version is distinct from old.version + 1 or new.changed_xid is distinct from pg_current_xact_id())
execute function millrace.stamp_change();
