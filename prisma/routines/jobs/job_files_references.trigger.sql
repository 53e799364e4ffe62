-- Always: what holds a file names a job that it has looked for in a transaction before.
create or replace trigger job_files_references before insert or update of job_id on millrace.job_files for each row
when (new.job_id is not null)
execute function millrace.check_named_jobs('job_id');
