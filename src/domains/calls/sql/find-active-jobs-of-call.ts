import { statement } from '../../../db/statement.ts';

/**
 * Jobs about a call and its clips that have not ended. Locks nothing. Indexes: jobs_subject_idx,
 * clips_call_idx.
 */
export const findActiveJobsOfCall = statement(
  'find_active_jobs_of_call',
  `
select id from millrace.jobs
where tenant_id = $1 and subject_type = 'call' and subject_id = $2 and status in ('queued', 'running')
union all
select j.id from millrace.clips c
join millrace.jobs j on j.tenant_id = c.tenant_id and j.subject_type = 'clip' and j.subject_id = c.id::text
where c.tenant_id = $1 and c.call_id = $2::uuid and j.status in ('queued', 'running')`,
);
