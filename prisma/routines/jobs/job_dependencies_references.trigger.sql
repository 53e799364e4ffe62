create or replace trigger job_dependencies_references before insert or update of job_id, depends_on_id on millrace.job_dependencies for each row
when (current_setting('millrace.checked', true) is distinct from 'by_caller' or current_user not in (:'api', :'worker'))
execute function millrace.check_named_jobs('job_id', 'depends_on_id');
