import { statement } from '../../statement.ts';

/**
 * Notes when the handler of a run begins. Crosses tenants; fenced by run number and token. Locks the
 * row. Index: jobs_pkey. Only for runs that begin noticeably later than their claim, which sets started_at
 * itself.
 */
export const startJob = statement(
  'start_job',
  `
update millrace.jobs
set started_at = clock_timestamp(), version = version + 1, changed_xid = pg_current_xact_id()
where id = $1 and run_no = $2 and lease_token = $3
returning id`,
);
