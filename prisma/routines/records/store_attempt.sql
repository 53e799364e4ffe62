-- For workers of the previous version, which know tables of these names: they rescue jobs and prune events
-- until they are replaced.
create or replace function millrace.store_attempt() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  insert into millrace.stored_attempts
    (job_id, attempt_no, tenant_id, worker_id, status, claimed_at, started_at, finished_at, error, wall_ms, cpu_ms, exit_code,
     stdout_tail, stderr_tail)
  values
    (new.job_id, new.attempt_no, new.tenant_id, new.worker_id, new.status, new.claimed_at, new.started_at, new.finished_at, new.error,
     new.wall_ms, new.cpu_ms, new.exit_code, new.stdout_tail, new.stderr_tail);
  return new;
end $$;
