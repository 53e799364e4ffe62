create or replace trigger prune_usage_event instead of delete on millrace.usage_events for each row execute function millrace.prune_usage_event();
