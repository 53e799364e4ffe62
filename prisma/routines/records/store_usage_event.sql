-- For workers of an older version, which write under the name that is a view now.
create or replace function millrace.store_usage_event() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  insert into millrace.stored_usage_events (tenant_id, definition_id, job_id, attempt_no, outcome, wall_ms, cpu_ms, created_at)
  values (new.tenant_id, new.definition_id, new.job_id, new.attempt_no, new.outcome, new.wall_ms, new.cpu_ms, new.created_at);
  return new;
end $$;
