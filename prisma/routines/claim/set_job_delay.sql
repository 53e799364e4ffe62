-- Whether a job lies among the delayed ones or among the ready ones: by its time, whatever a statement says.
create or replace function millrace.set_job_delay() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  new.is_delayed := new.scheduled_for > clock_timestamp() + interval '1 second';
  return new;
end $$;
