-- owner: worker
-- TRUNCATE calls no other trigger of the two.
create or replace function millrace.forget_named_jobs() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp set row_security = on
as $$
begin
  delete from millrace.job_dependencies;
  update millrace.artifacts set job_id = null where job_id is not null;
  update millrace.clips set job_id = null where job_id is not null;
  update millrace.job_files set job_id = null where job_id is not null;
  return null;
end $$;

revoke all on function millrace.forget_named_jobs from public;
