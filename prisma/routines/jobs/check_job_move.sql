-- Refuses what is no legal move of a job, from any writer. The triggers' conditions let only suspects come
-- here.
create or replace function millrace.check_job_move() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if (old.status <> new.status and not (
        (old.status = 'queued' and new.status in ('running', 'canceled'))
     or (old.status = 'running' and new.status in ('succeeded', 'failed', 'dead_letter', 'canceled', 'queued'))
     or (old.status in ('failed', 'dead_letter', 'canceled') and new.status = 'queued')))
  -- Each claim is a new run; nothing else makes one, and the number never falls.
  or new.run_no <> old.run_no + (case when old.status = 'queued' and new.status = 'running' then 1 else 0 end)
  or new.tenant_id <> old.tenant_id
  or new.id <> old.id
  or (old.status = 'succeeded' and (
        (new.result is distinct from old.result and (new.result is not null or new.redacted_at is null))
     or new.finished_at is distinct from old.finished_at
     or new.started_at is distinct from old.started_at
     or new.claimed_at is distinct from old.claimed_at
     or new.queued_at is distinct from old.queued_at
     or new.claimed_by_worker is distinct from old.claimed_by_worker
     or new.reason is distinct from old.reason
     or new.definition_id <> old.definition_id
     or new.lost_lease_count <> old.lost_lease_count
     or new.snooze_count <> old.snooze_count
     or new.attempt_count <> old.attempt_count
     or new.wall_ms is distinct from old.wall_ms
     or new.cpu_ms is distinct from old.cpu_ms))
  then
    raise exception 'job %: % (run %) -> % (run %) is not a legal move', old.id, old.status, old.run_no, new.status, new.run_no
      using errcode = 'check_violation', schema = 'millrace', table = 'jobs', constraint = 'jobs_legal_move';
  end if;
  return new;
end $$;
