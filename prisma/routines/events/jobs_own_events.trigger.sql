-- Whatever ends a job names its finished_at: settlements, cancels, expiry, lost leases, the end of
-- dependents, an operator by hand. No transition table, which would copy every row of every hot statement.
create or replace trigger jobs_own_events after update of finished_at on millrace.jobs for each statement
execute function millrace.write_job_events();
