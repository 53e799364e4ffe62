import { statement } from '../../statement.ts';

/**
 * Puts jobs whose lease ended back into the queue, budget spent and lost lease counted, with a `lost` attempt row and a usage event.
 * Knows no definitions: a row over its poison count is claimed once more by a worker that knows it, which settles it.
 * $2: leases longer than this many seconds are left alone (the database has not been back for one of them).
 * Crosses tenants. Locks the rows, skipping those a settle or heartbeat holds this moment. Index: jobs_running_idx.
 * From 20 on, the more come back at once, the wider they are spread (at most 10 s), so that a dead fleet's jobs are no thundering herd.
 */
export const rescueJobs = statement(
  'rescue_jobs',
  `
with expired as materialized (
  select j.id from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id
  where j.status = 'running' and j.lease_expires_at < clock_timestamp() and d.lease_seconds <= $2::float8
  order by j.lease_expires_at
  limit $1
  for no key update of j skip locked
), herd as (
  -- A few are due at once: the bell rings now, and who looks before they are due hears no other.
  select case when count(*) < 20 then 0 else least(10, count(*) / 10.0) end as spread_seconds from expired
), moved as (
  update millrace.jobs j
  set status = 'queued',
      -- One that was claimed ahead and is not known to have begun spends nothing: it may only have waited beside what killed the worker.
      attempt_count = j.attempt_count + case when j.started_at is null then 0 else 1 end,
      lost_lease_count = j.lost_lease_count + 1,
      scheduled_for = greatest(j.scheduled_for, clock_timestamp())
                      + case when j.cancel_requested_at is null then random() * h.spread_seconds else 0 end * interval '1 second',
      last_error = jsonb_build_object(
        'type', 'LostLease',
        'message', format('Worker %s stopped renewing its lease in run %s.', j.claimed_by_worker, j.run_no),
        'timestamp', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'retryCount', j.attempt_count),
      lease_token = null,
      lease_expires_at = null,
      version = j.version + 1,
      changed_xid = pg_current_xact_id()
  from expired e, herd h
  where j.id = e.id
  returning j.id, j.tenant_id, j.definition_id, j.run_no, j.claimed_by_worker, j.claimed_at, j.last_error,
            -- A run that was claimed and never begun still carries the start of the run before it.
            case when j.started_at >= j.claimed_at then j.started_at end as started_at
), used as (
  insert into millrace.stored_usage_events (tenant_id, definition_id, job_id, attempt_no, outcome, wall_ms, created_at)
  -- Until it is taken away: when its worker really ended nobody knows. Within an integer: 24 days.
  select tenant_id, definition_id, id, run_no, 'lost',
         least(coalesce(extract(epoch from clock_timestamp() - started_at) * 1000, 0), 2147483647)::integer, clock_timestamp()
  from moved
), attempts as (
  insert into millrace.stored_attempts
    (job_id, attempt_no, tenant_id, worker_id, status, claimed_at, started_at, finished_at, error)
  -- One row that was made by hand must not keep all others from being rescued.
  select id, run_no, tenant_id, coalesce(claimed_by_worker, 'unknown'), 'lost', coalesce(claimed_at, clock_timestamp()), started_at, clock_timestamp(), last_error from moved
)
select id from moved`,
);
