create or replace trigger jobs_notify after insert or update or delete on millrace.jobs for each statement
when (current_setting('millrace.notify', true) is distinct from 'after_commit')
execute function millrace.notify_change();
