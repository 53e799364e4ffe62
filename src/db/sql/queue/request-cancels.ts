import { statement } from '../../statement.ts';

/**
 * Asks running jobs that the transaction holds (lock_jobs) to stop; their workers settle them. Asking again
 * changes nothing.
 * Index: jobs_pkey.
 */
export const requestCancels = statement(
  'request_cancels',
  `
update millrace.jobs
set cancel_requested_at = clock_timestamp(), reason = $3, version = version + 1, changed_xid = pg_current_xact_id()
where tenant_id = $1 and id = any ($2::uuid[]) and cancel_requested_at is null`,
);
