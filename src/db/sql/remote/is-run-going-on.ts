import { statement } from '../../statement.ts';

/** A row while run $3 of job $2 of tenant $1 goes on. Locks nothing. Index: jobs_pkey. */
export const isRunGoingOn = statement(
  'is_run_going_on',
  `select from millrace.jobs where tenant_id = $1 and id = $2 and run_no = $3 and status = 'running'`,
);
