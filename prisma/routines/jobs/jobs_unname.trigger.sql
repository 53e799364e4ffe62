create or replace trigger jobs_unname after truncate on millrace.jobs for each statement execute function millrace.forget_named_jobs();
