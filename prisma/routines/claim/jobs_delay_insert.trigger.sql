create or replace trigger jobs_delay_insert before insert on millrace.jobs for each row
when (new.scheduled_for > clock_timestamp() and not new.is_delayed)
execute function millrace.set_job_delay();
