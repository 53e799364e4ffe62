create or replace trigger jobs_values_insert after insert on millrace.jobs referencing new table as fresh for each statement
when (current_setting('millrace.bell', true) is distinct from 'after_commit')
execute function millrace.check_new_jobs();
