-- What a fresh subscription reads: a tenant's active jobs and those that ended lately. Ready and running jobs have
-- indexes of their own; these are for the rest.

-- Ended lately, newest first; written once a job, when it settles.
create index if not exists jobs_finished_idx on millrace.jobs (tenant_id, finished_at)
  where finished_at is not null;
-- Queued behind other jobs; costs nothing to a job that waits for none.
create index if not exists jobs_waiting_idx on millrace.jobs (tenant_id, id)
  where status = 'queued' and pending_dependencies > 0;
