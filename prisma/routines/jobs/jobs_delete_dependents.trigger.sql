create or replace trigger jobs_delete_dependents after delete on millrace.jobs
referencing old table as gone for each statement execute function millrace.delete_job_dependents();
