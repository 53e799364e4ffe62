import { statement } from '../../statement.ts';

/**
 * Ends runs: to a final status, or back to the queue (retry, snooze, hand-back), with their attempt rows. Returns the ids it
 * moved; one that is missing was not ours any more, or was to go back to the queue although its cancel was requested.
 * Crosses tenants; fenced by run number and token, which this statement takes away. Locks the rows in id order.
 * Index: jobs_pkey. No \`status = 'running'\` here: the planner would take the lease index and wade through its dead
 * entries, four times slower. The token is the guard.
 */
export const settleJobs = statement(
  'settle_jobs',
  `
with input as materialized (
  select * from unnest($1::uuid[], $2::integer[], $3::uuid[], $4::text[], $5::jsonb[], $6::jsonb[], $7::text[], $8::float8[],
                       $9::text[], $10::boolean[], $11::boolean[], $12::timestamptz[], $13::integer[], $14::integer[])
    as t (id, run_no, token, status, result, error, reason, delay_seconds, attempt_status, spends_attempt, counts_snooze,
          started_at, wall_ms, cpu_ms)
), locked as materialized (
  -- Carries the input along: joining it again after the lock is planned as a nested loop over 500 x 500 rows.
  select i.* from input i join millrace.jobs j on j.id = i.id
  where j.run_no = i.run_no and j.lease_token = i.token
    and not (i.status = 'queued' and j.cancel_requested_at is not null)
  order by j.id
  for no key update of j
), moved as (
  update millrace.jobs j
  set status = i.status,
      result = i.result,
      last_error = case when i.status = 'succeeded' then null else coalesce(i.error, j.last_error) end,
      reason = coalesce(i.reason, case when i.status = 'succeeded' and j.cancel_requested_at is not null
                                       then 'It was done before it could be canceled.' end),
      scheduled_for = case when i.status = 'queued'
                           then greatest(j.scheduled_for, clock_timestamp() + coalesce(i.delay_seconds, 0) * interval '1 second')
                           else j.scheduled_for end,
      attempt_count = j.attempt_count + case when i.spends_attempt then 1 else 0 end,
      snooze_count = j.snooze_count + case when i.counts_snooze then 1 else 0 end,
      -- A hand-back (no attempt row, no snooze) is not a settled run: the count of lost leases stays.
      lost_lease_count = case when i.attempt_status is null and not i.counts_snooze then j.lost_lease_count else 0 end,
      started_at = coalesce(i.started_at, j.started_at),
      finished_at = case when i.status = 'queued' then null else clock_timestamp() end,
      lease_token = null,
      lease_expires_at = null,
      version = j.version + 1,
      changed_xid = pg_current_xact_id()
  from locked i
  where j.id = i.id
  returning j.id, j.tenant_id, j.run_no, j.claimed_by_worker, j.claimed_at, j.started_at, i.attempt_status, i.error, i.wall_ms, i.cpu_ms
), attempts as (
  insert into millrace.job_attempts
    (job_id, attempt_no, tenant_id, worker_id, status, claimed_at, started_at, finished_at, error, wall_ms, cpu_ms)
  select id, run_no, tenant_id, claimed_by_worker, attempt_status, claimed_at, started_at, clock_timestamp(), error, wall_ms, cpu_ms
  from moved where attempt_status is not null
)
select id from moved`,
);
