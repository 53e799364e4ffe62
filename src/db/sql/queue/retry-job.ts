import { statement } from '../../statement.ts';

/**
 * An operator's retry of a job that the transaction holds (lock_job): fresh budget, ready now, run numbers go on.
 * Unique violation on jobs_active_dedupe_idx when its key is active again. Index: jobs_pkey.
 */
export const retryJob = statement(
  'retry_job',
  `
update millrace.jobs
set status = 'queued', attempt_count = 0, lost_lease_count = 0, snooze_count = 0,
    scheduled_for = clock_timestamp(), finished_at = null, cancel_requested_at = null,
    reason = null, result = null, version = version + 1, changed_xid = pg_current_xact_id()
where tenant_id = $1 and id = $2`,
);
