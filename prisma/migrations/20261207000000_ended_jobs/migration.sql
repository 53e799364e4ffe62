-- Jobs that failed or were canceled are few among those that succeeded: a tenant's list of them read its whole history, and so did a
-- retry of all that failed. Only such a job is written into this index, once, when it ends.
drop index concurrently if exists millrace.jobs_ended_idx;
create index concurrently jobs_ended_idx on millrace.jobs (tenant_id, status, id)
  where status in ('failed', 'dead_letter', 'canceled');
