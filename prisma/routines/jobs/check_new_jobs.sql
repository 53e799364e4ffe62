-- As before, and of tags and metadata too.
create or replace function millrace.check_new_jobs() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  perform millrace.refuse_job(
    f.id,
    case when not exists (select from millrace.tenants t where t.id = f.tenant_id) then f.tenant_id end,
    case when not exists (select from millrace.job_definitions d where d.id = f.definition_id) then f.definition_id end,
    coalesce(
      millrace.bad_job_value(f.source, f.priority, f.dedupe_key, f.correlation_id, f.subject_type, f.subject_id, f.max_attempts,
                             f.timeout_seconds, f.pending_dependencies),
      millrace.bad_job_label(f.tags, f.metadata)))
  from fresh f;
  return null;
end $$;
