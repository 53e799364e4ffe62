create or replace trigger clips_references before insert or update of job_id on millrace.clips for each row
when (new.job_id is not null
  and (current_setting('millrace.checked', true) is distinct from 'by_caller' or current_user not in (:'api', :'worker')))
execute function millrace.check_named_jobs('job_id');
