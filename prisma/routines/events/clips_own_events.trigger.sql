create or replace trigger clips_own_events after update of status on millrace.clips for each row
when (old.status is distinct from new.status and new.status in ('ready', 'failed')) execute function millrace.write_entity_event('clip');
