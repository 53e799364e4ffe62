-- owner: worker
-- For the statement and not for each row: a call for each would cost five times as much. It copies the rows
-- of the statement, which is part of the third of a microsecond that a row of a large INSERT costs more now
-- than with the index; one INSERT of a single row costs 30 us more. A role that puts jobs in has the right to
-- have them listed, and no other right here.
create or replace function millrace.list_jobs() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp set row_security = on
as $$
begin
  insert into millrace.tenant_jobs (tenant_id, job_id) select f.tenant_id, f.id from fresh f;
  return null;
end $$;

revoke all on function millrace.list_jobs from public;
