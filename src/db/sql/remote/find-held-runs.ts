import type { JobRow } from '../../rows.ts';
import { statement } from '../../statement.ts';

/**
 * Running jobs by their leases ($1 job ids, $2 run numbers, $3 tokens), of tenant $4 where it is not null;
 * those whose lease is somebody else's by now are missing. Crosses tenants where $4 is null. Locks
 * nothing. Index: jobs_pkey.
 */
export const findHeldRuns = statement(
  'find_held_runs',
  `
select j.id, j.tenant_id, j.definition_id, j.source, j.source_ref, j.status, j.priority, j.payload, null::jsonb as result, j.dedupe_key,
       j.correlation_id, j.subject_type, j.subject_id, j.requested_for, j.scheduled_for, j.queued_at, j.claimed_at, j.started_at,
       j.finished_at, j.attempt_count, j.max_attempts, j.run_no, j.lost_lease_count, j.snooze_count, j.pending_dependencies,
       j.expires_at, j.timeout_seconds, j.lease_expires_at, j.claimed_by_worker, j.cancel_requested_at, j.last_error, j.reason,
       j.created_by, j.version, d.key as definition_key, i.token, clock_timestamp() as database_now
from unnest($1::uuid[], $2::integer[], $3::uuid[]) as i (id, run_no, token)
join millrace.jobs j on j.id = i.id
join millrace.job_definitions d on d.id = j.definition_id
where j.run_no = i.run_no and j.lease_token = i.token and ($4::uuid is null or j.tenant_id = $4)`,
);

export interface HeldRunRow extends JobRow {
  readonly definition_key: string;
  readonly token: string;
  readonly database_now: Date;
}
