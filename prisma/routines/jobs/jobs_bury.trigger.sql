create or replace trigger jobs_bury after delete on millrace.jobs
referencing old table as gone for each statement execute function millrace.bury_jobs();
