import { statement } from '../../statement.ts';

/**
 * Notes that a claimed run has not begun, and will later. Crosses tenants; fenced by run number and token.
 * Locks the row. Index: jobs_pkey. Only for a suspect that waits until it is alone: a death before that is
 * not its own.
 */
export const putOffStart = statement(
  'put_off_start',
  `
update millrace.jobs
set started_at = null, version = version + 1, changed_xid = pg_current_xact_id()
where id = $1 and run_no = $2 and lease_token = $3
returning id`,
);
