import { statement } from '../../statement.ts';
import { CLAIMING } from './claim-jobs.ts';

/**
 * Claims for worker $1 up to $4 jobs of lane ($2, $3), where nothing limits it, no other has a job and no
 * delayed one is due: what a worker that waits for its next job asks. One statement, where `claim_jobs` is a
 * function of seven with half as much again to do until the job starts. $5: they are claimed ahead, and start
 * later. No row at all: the lane is paused, limited or not the only one, so ask `claim_jobs`. Picked and
 * leased in one statement: the snapshot of a count of running jobs would be one too old for that, but none is
 * looked at. Locks the candidate rows FOR NO KEY UPDATE SKIP LOCKED. Indexes: jobs_ready_idx,
 * jobs_delayed_idx, jobs_pkey.
 */
export const claimSingleLane = statement(
  'claim_single_lane',
  `
with lane as materialized (
  select t.weight, d.lease_seconds, clock_timestamp() as at, gen_random_uuid() as token
  from millrace.tenants t, millrace.job_definitions d
  where t.id = $2::uuid and d.id = $3::uuid and t.paused_at is null and t.deleted_at is null and d.paused_at is null
    and t.max_running is null and t.rate_limit_count is null
    and d.max_running is null and d.rate_limit_count is null
    and d.max_running_per_tenant is null and d.rate_limit_per_tenant_count is null
    and (select true from millrace.lane_limits q where q.tenant_id = $2 and q.definition_id = $3) is null
    and (select true from millrace.jobs j
         where j.status = 'queued' and j.pending_dependencies = 0 and not j.is_delayed and (j.tenant_id, j.definition_id) < ($2, $3)
         order by j.tenant_id, j.definition_id limit 1) is null
    and (select true from millrace.jobs j
         where j.status = 'queued' and j.pending_dependencies = 0 and not j.is_delayed and (j.tenant_id, j.definition_id) > ($2, $3)
         order by j.tenant_id, j.definition_id limit 1) is null
    and ((select j.scheduled_for from millrace.jobs j
          where j.status = 'queued' and j.pending_dependencies = 0 and j.is_delayed
          order by j.scheduled_for limit 1) <= clock_timestamp()) is not true
), begun as (
  update millrace.jobs as j
  set status = 'running',
      run_no = j.run_no + 1,
      lease_token = l.token,
      lease_expires_at = clock_timestamp() + make_interval(secs => l.lease_seconds),
      claimed_by_worker = $1,
      claimed_at = l.at,
      started_at = case when $5::boolean then null else l.at end,
      version = j.version + 1,
      changed_xid = pg_current_xact_id()
  from lane l
  where j.id = any (array(
    select j.id from millrace.jobs j
    where j.tenant_id = $2 and j.definition_id = $3
      and j.status = 'queued' and j.pending_dependencies = 0 and not j.is_delayed and j.scheduled_for <= (select l.at from lane l)
    order by j.priority, j.scheduled_for, j.id
    limit $4::integer
    for no key update skip locked))
  returning j.id, j.tenant_id, j.definition_id, j.payload, j.priority, millrace.epoch_us(j.scheduled_for) as scheduled_us,
    millrace.epoch_us(j.queued_at) as queued_us, j.started_at is not null as is_started, j.run_no, j.max_attempts, j.version,
    j.created_by,
    case when j.source <> 'manual' or j.attempt_count + j.lost_lease_count + j.snooze_count > 0
           or j.source_ref is not null or j.dedupe_key is not null or j.correlation_id is not null or j.subject_type is not null
           or j.requested_for is not null or j.expires_at is not null or j.timeout_seconds is not null
           or j.cancel_requested_at is not null or j.last_error is not null or j.reason is not null
         then jsonb_strip_nulls(jsonb_build_object(
           'source', j.source, 'sourceRef', j.source_ref, 'dedupeKey', j.dedupe_key, 'correlationId', j.correlation_id,
           'subjectType', j.subject_type, 'subjectId', j.subject_id, 'requestedUs', millrace.epoch_us(j.requested_for),
           'attemptCount', j.attempt_count, 'lostLeaseCount', j.lost_lease_count, 'snoozeCount', j.snooze_count,
           'expiresUs', millrace.epoch_us(j.expires_at), 'timeoutSeconds', j.timeout_seconds,
           'cancelRequestedUs', millrace.epoch_us(j.cancel_requested_at), 'reason', j.reason))
           || jsonb_build_object('lastError', j.last_error)
    end as rare
)
select b.* from begun b
union all
select null, null, null, jsonb_build_object('token', l.token, 'claimedUs', millrace.epoch_us(l.at), 'weight', l.weight),
       null, null, null, null, null, null, null, null, null
from lane l`,
  { dedicatedTo: CLAIMING, asArrays: true },
);

/** What the row without a job says. */
export interface SingleLaneEnd {
  /** The token of every lease of this claim. */
  readonly token: string;
  readonly claimedUs: number;
  /** The tenant's. */
  readonly weight: number;
}
