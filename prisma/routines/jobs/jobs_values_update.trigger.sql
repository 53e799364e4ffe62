create or replace trigger jobs_values_update
before update of tenant_id, definition_id, source, priority, dedupe_key, correlation_id, subject_type, subject_id, max_attempts,
  timeout_seconds, pending_dependencies
on millrace.jobs for each row execute function millrace.check_changed_job();
