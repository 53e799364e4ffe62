create or replace trigger jobs_unlist after truncate on millrace.jobs for each statement execute function millrace.forget_listed_jobs();
