create or replace trigger clips_notify after insert or update or delete on millrace.clips for each statement
when (coalesce(current_setting('millrace.notify', true), '') <> 'after_commit')
execute function millrace.notify_change();
