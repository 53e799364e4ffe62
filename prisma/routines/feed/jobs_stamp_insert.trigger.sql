-- Our own statements set both columns; the triggers are for everybody else (psql, Prisma), so that the feed
-- sees them too.
create or replace trigger jobs_stamp_insert before insert on millrace.jobs for each row
when (new.changed_xid is distinct from pg_current_xact_id())
execute function millrace.stamp_change();
