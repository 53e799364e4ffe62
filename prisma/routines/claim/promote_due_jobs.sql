-- Makes delayed jobs that are due ready, the longest due first. No news: neither version nor feed notice.
-- Answers how many.
-- Locks: the rows FOR NO KEY UPDATE SKIP LOCKED. Index: jobs_delayed_idx.
create or replace function millrace.promote_due_jobs(p_most integer) returns integer
language plpgsql volatile set plan_cache_mode = force_generic_plan as $$
declare
  v_at    constant timestamptz := clock_timestamp();
  v_count integer;
begin
  with due as materialized (
    select j.id from millrace.jobs j
    where j.status = 'queued' and j.pending_dependencies = 0 and j.is_delayed and j.scheduled_for <= v_at
    order by j.scheduled_for
    limit p_most
    for no key update skip locked
  )
  update millrace.jobs j set is_delayed = false
  where j.id = any (array(select d.id from due d));
  get diagnostics v_count = row_count;
  return v_count;
end $$;
