create or replace trigger links_notify after insert or update or delete on millrace.links for each statement
when (coalesce(current_setting('millrace.notify', true), '') <> 'after_commit')
execute function millrace.notify_change();
