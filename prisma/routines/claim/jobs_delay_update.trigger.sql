create or replace trigger jobs_delay_update before update on millrace.jobs for each row
when (new.status = 'queued' and new.is_delayed <> (new.scheduled_for > clock_timestamp() + interval '1 second'))
execute function millrace.set_job_delay();
