import { statement } from '../../statement.ts';

/** Active jobs about one thing. Locks nothing. Index: jobs_subject_idx. */
export const findActiveJobsOfSubject = statement(
  'find_active_jobs_of_subject',
  `
select id from millrace.jobs
where tenant_id = $1 and subject_type = $2 and subject_id = $3 and status in ('queued', 'running')`,
);
