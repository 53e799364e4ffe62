import { statement } from '../../../db/statement.ts';

/** Jobs about a call that have not ended. Locks nothing. Index: jobs_subject_idx. */
export const findActiveJobsOfCall = statement(
  'find_active_jobs_of_call',
  `
select id from millrace.jobs
where tenant_id = $1 and subject_type = 'call' and subject_id = $2 and status in ('queued', 'running')`,
);
