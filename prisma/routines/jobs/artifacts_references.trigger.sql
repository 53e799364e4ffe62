create or replace trigger artifacts_references before insert or update of job_id on millrace.artifacts for each row
when (new.job_id is not null and coalesce(current_setting('millrace.bell', true), '') <> 'after_commit')
execute function millrace.check_named_jobs('job_id');
