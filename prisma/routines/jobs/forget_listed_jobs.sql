-- owner: worker
-- TRUNCATE calls no other trigger of the two.
create or replace function millrace.forget_listed_jobs() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp set row_security = on
as $$
begin
  truncate millrace.tenant_jobs;
  return null;
end $$;

revoke all on function millrace.forget_listed_jobs from public;
