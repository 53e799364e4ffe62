import { statement } from '../../statement.ts';

/**
 * Cancels queued jobs that the transaction holds (lock_jobs). Index: jobs_pkey.
 */
export const cancelQueuedJobs = statement(
  'cancel_queued_jobs',
  `
update millrace.jobs
set status = 'canceled', reason = $3, finished_at = clock_timestamp(),
    cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp()),
    version = version + 1, changed_xid = pg_current_xact_id()
where tenant_id = $1 and id = any ($2::uuid[])`,
);
