-- Checks what a foreign UPDATE of a job changed: references and bounds of values, with the names that CHECKs
-- would have.
create or replace function millrace.check_changed_job() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
  v_bad_value constant text := millrace.bad_job_value(
    new.source, new.priority, new.dedupe_key, new.correlation_id, new.subject_type, new.subject_id, new.max_attempts,
    new.timeout_seconds, new.pending_dependencies);
begin
  if new.tenant_id <> old.tenant_id or new.definition_id <> old.definition_id or v_bad_value is not null then
    perform millrace.refuse_job(
      new.id,
      case when not exists (select from millrace.tenants t where t.id = new.tenant_id) then new.tenant_id end,
      case when not exists (select from millrace.job_definitions d where d.id = new.definition_id) then new.definition_id end,
      v_bad_value);
  end if;
  return new;
end $$;
