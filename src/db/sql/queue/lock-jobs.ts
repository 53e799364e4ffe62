import type { JobRow } from '../../rows.ts';
import { statement } from '../../statement.ts';

/** As far as the one that waits and the one that does not are the same. */
export const LOCKED_JOBS = `
select j.id, j.tenant_id, j.definition_id, j.source, j.source_ref, j.status, j.priority,
       case when j.subject_type = any ($3::text[]) then j.payload end as payload, null::jsonb as result, j.dedupe_key,
       j.correlation_id, j.subject_type, j.subject_id, j.requested_for, j.scheduled_for, j.queued_at, j.claimed_at, j.started_at,
       j.finished_at, j.attempt_count, j.max_attempts, j.run_no, j.lost_lease_count, j.snooze_count, j.pending_dependencies,
       j.expires_at, j.timeout_seconds, j.lease_expires_at, j.claimed_by_worker, j.cancel_requested_at, null::jsonb as last_error,
       j.reason, j.created_by, j.version, d.key as definition_key
from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id
where j.tenant_id = $1 and j.id = any ($2::uuid[])
order by j.id
for no key update of j`;

/**
 * Jobs $2 of tenant $1 with their definitions' keys, locked in id order for a change by an operator; those
 * that are not there are left out. Payloads only of subjects $3, whose pipelines may read them: a batch of
 * others could be hundreds of MiB. Waits for a transaction that holds one, as long as lock_timeout. Index:
 * jobs_pkey.
 */
export const lockJobs = statement('lock_jobs', LOCKED_JOBS);

/** Without result and last error, and with the payload only where a pipeline may read it. */
export interface LockedJobRow extends JobRow {
  readonly definition_key: string;
}
