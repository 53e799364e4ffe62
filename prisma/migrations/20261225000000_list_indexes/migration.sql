-- Delayed jobs in the order of lists, with what a list of one definition's needs. Only a job that is for later is written here.
drop index concurrently if exists millrace.jobs_later_idx;
create index concurrently jobs_later_idx on millrace.jobs (tenant_id, id) include (definition_id)
  where status = 'queued' and pending_dependencies = 0 and is_delayed;
-- Jobs whose end is far from where their id stands: over an hour after they were made, or whose id says nothing of that. What ended in a stretch
-- of time is found by the ids that were made then, and here.
drop index concurrently if exists millrace.jobs_apart_idx;
create index concurrently jobs_apart_idx on millrace.jobs (tenant_id, finished_at, id)
  where finished_at is not null
    and (uuid_extract_version(id) = 7 and finished_at - uuid_extract_timestamp(id) >= interval '0'
         and finished_at - uuid_extract_timestamp(id) < interval '1 hour') is not true;
