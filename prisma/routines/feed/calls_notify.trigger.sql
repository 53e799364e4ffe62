create or replace trigger calls_notify after insert or update or delete on millrace.calls for each statement
when (coalesce(current_setting('millrace.notify', true), '') <> 'after_commit')
execute function millrace.notify_change();
