create or replace trigger videos_notify after insert or update or delete on millrace.videos for each statement
when (coalesce(current_setting('millrace.notify', true), '') <> 'after_commit')
execute function millrace.notify_change();
