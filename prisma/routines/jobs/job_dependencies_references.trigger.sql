create or replace trigger job_dependencies_references before insert or update of job_id, depends_on_id on millrace.job_dependencies for each row
when (coalesce(current_setting('millrace.bell', true), '') <> 'after_commit')
execute function millrace.check_named_jobs('job_id', 'depends_on_id');
