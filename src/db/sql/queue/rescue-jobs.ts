import type { Job } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/**
 * Puts jobs whose lease ended back into the queue, lost lease counted, with a `lost` attempt row and a usage
 * event. A run that had begun and was the only one of its worker spends an attempt. One beside others does
 * not, since any of them may have taken the worker down: it is run alone next. Nor does one that had not
 * begun.
 * Knows no definitions: a row over its poison count is claimed again by a worker that knows it, which
 * settles it.
 * $2: leases longer than this many seconds are left alone (the database has not been back for one of them),
 * unless it has been reachable for as long in all since the lease ended.
 * Crosses tenants. Locks the rows, skipping those a settle or heartbeat holds this moment. Index:
 * jobs_running_idx. From 20 on, the more come back at once, the wider they are spread (at most 10 s), so that
 * a dead fleet's jobs are no thundering herd.
 */
export const rescueJobs = statement(
  'rescue_jobs',
  `
with expired as materialized (
  select j.id, j.claimed_by_worker from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id
  where j.status = 'running' and j.lease_expires_at < clock_timestamp()
    and (d.lease_seconds <= $2::float8
         or d.lease_seconds <= (
           select sum(extract(epoch from upper(r.span) - lower(r.span)))
           from millrace.maintenance_leader l,
             unnest(l.reachable * tstzmultirange(tstzrange(j.lease_expires_at, null))) r (span)))
  order by j.lease_expires_at
  limit $1
  for no key update of j skip locked
), held as materialized (
  -- All that the workers of these have, whatever their leases, and what was taken from them before.
  select o.claimed_by_worker as worker_id, count(*) + coalesce(max(w.lost_run_count), 0) as run_count
  from millrace.jobs o left join millrace.job_workers w on w.worker_id = o.claimed_by_worker
  where o.status = 'running' and o.claimed_by_worker in (select e.claimed_by_worker from expired e)
  group by o.claimed_by_worker
), herd as (
  -- A few are due at once: the notification is sent now, and who looks before they are due hears no other.
  select case when count(*) < 20 then 0 else least(10, count(*) / 10.0) end as spread_seconds from expired
), moved as (
  update millrace.jobs j
  set status = 'queued',
      attempt_count = j.attempt_count + case when j.started_at is null or e.in_company then 0 else 1 end,
      -- One that is not known to have begun is a suspect, but no more of one each time that it waits beside
      -- what kills a worker.
      lost_lease_count = case when j.started_at is null then greatest(j.lost_lease_count, 1) else j.lost_lease_count + 1 end,
      scheduled_for = greatest(j.scheduled_for, clock_timestamp())
                      + case when j.cancel_requested_at is null then random() * h.spread_seconds else 0 end * interval '1 second',
      last_error = jsonb_build_object(
        'type', 'LostLease',
        'message', format('Worker %s stopped renewing its lease in run %s%s.', j.claimed_by_worker, j.run_no,
                          case when e.in_company then ', beside other runs, so it spends no attempt' end),
        'timestamp', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'retryCount', j.attempt_count),
      lease_token = null,
      lease_expires_at = null,
      version = j.version + 1,
      changed_xid = pg_current_xact_id()
  from (select x.id, coalesce(h.run_count, 1) > 1 as in_company
        from expired x left join held h on h.worker_id = x.claimed_by_worker) e, herd h
  where j.id = e.id
  returning j.id, j.tenant_id, j.definition_id, j.run_no, j.claimed_by_worker, j.claimed_at, j.last_error,
            -- A run that was claimed and never begun still carries the start of the run before it.
            case when j.started_at >= j.claimed_at then j.started_at end as started_at
), noted as (
  update millrace.job_workers w set lost_run_count = w.lost_run_count + m.lost_count
  from (select claimed_by_worker, count(*)::integer as lost_count from moved group by claimed_by_worker) m
  where w.worker_id = m.claimed_by_worker
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

export type RescuedJobRow = Columns<Job, 'id'>;
