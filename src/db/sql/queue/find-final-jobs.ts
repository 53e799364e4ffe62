import { statement } from '../../statement.ts';

/**
 * Those of the jobs $1 that have ended. Crosses tenants: the caller knows whose they are. Locks
 * nothing. Index: jobs_pkey.
 */
export const findFinalJobs = statement(
  'find_final_jobs',
  `
select * from millrace.jobs
where id = any ($1::uuid[]) and status in ('succeeded', 'failed', 'canceled', 'dead_letter')`,
);
