import { statement } from '../../statement.ts';

/**
 * Asks a running job that the transaction holds to stop; its worker settles it. Asking again changes nothing.
 * Index: jobs_pkey.
 */
export const requestCancel = statement(
  'request_cancel',
  `
update millrace.jobs
set cancel_requested_at = clock_timestamp(), reason = $3, version = version + 1, changed_xid = pg_current_xact_id()
where tenant_id = $1 and id = $2 and cancel_requested_at is null`,
);
