-- What our own statements write has been looked at by then, each value with an error that names its field:
-- `millrace.checked`. Only the API's and the workers' role may say so; for anybody else the setting does
-- nothing.
create or replace trigger jobs_values_insert after insert on millrace.jobs referencing new table as fresh for each statement
when (current_setting('millrace.checked', true) is distinct from 'by_caller' or current_user not in (:'api', :'worker'))
execute function millrace.check_new_jobs();
