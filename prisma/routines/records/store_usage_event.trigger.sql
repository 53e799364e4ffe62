create or replace trigger store_usage_event instead of insert on millrace.usage_events for each row execute function millrace.store_usage_event();
