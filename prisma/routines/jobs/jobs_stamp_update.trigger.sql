create or replace trigger jobs_stamp_update before update on millrace.jobs for each row
when (new.version <> old.version + 1 or new.changed_xid <> pg_current_xact_id())
execute function millrace.stamp_job_change();
