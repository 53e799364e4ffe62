import { statement } from '../../statement.ts';

/**
 * Cancels a queued job that the transaction holds (lock_job). Index: jobs_pkey.
 */
export const cancelQueuedJob = statement(
  'cancel_queued_job',
  `
update millrace.jobs
set status = 'canceled', reason = $3, finished_at = clock_timestamp(),
    cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp()),
    version = version + 1, changed_xid = pg_current_xact_id()
where tenant_id = $1 and id = $2`,
);
