-- What is due within a second stays among the ready ones: it would be moved at once.
create or replace trigger jobs_delay_insert before insert on millrace.jobs for each row
when (new.scheduled_for > clock_timestamp() + interval '1 second' and not new.is_delayed)
execute function millrace.set_job_delay();
