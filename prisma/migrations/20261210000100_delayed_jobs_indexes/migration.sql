-- The ready order with delayed jobs apart: the same index serves both, so that lists of queued jobs step over two beginnings and no more.
drop index concurrently if exists millrace.jobs_ready_new_idx;
create index concurrently jobs_ready_new_idx on millrace.jobs (is_delayed, tenant_id, definition_id, priority, scheduled_for, id)
  where status = 'queued' and pending_dependencies = 0;
drop index concurrently if exists millrace.jobs_ready_idx;
alter index millrace.jobs_ready_new_idx rename to jobs_ready_idx;
-- Which delayed jobs are due: the beginning of this index and nothing else.
drop index concurrently if exists millrace.jobs_delayed_idx;
create index concurrently jobs_delayed_idx on millrace.jobs (scheduled_for)
  where status = 'queued' and pending_dependencies = 0 and is_delayed;
update millrace.jobs set is_delayed = true where status = 'queued' and scheduled_for > now() + interval '1 minute';
