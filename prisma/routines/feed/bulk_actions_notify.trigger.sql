create or replace trigger bulk_actions_notify after insert or update or delete on millrace.bulk_actions for each statement
when (coalesce(current_setting('millrace.notify', true), '') <> 'after_commit')
execute function millrace.notify_change();
