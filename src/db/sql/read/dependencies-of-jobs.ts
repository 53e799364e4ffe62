import { statement } from '../../statement.ts';

/** What each job waits or waited for, with the policies. Locks nothing. Index: job_dependencies_pkey. */
export const dependenciesOfJobs = statement(
  'dependencies_of_jobs',
  `
select d.job_id as "jobId", d.depends_on_id as "otherId", d.policy
from millrace.job_dependencies d
where d.tenant_id = $1::uuid and d.job_id = any ($2::uuid[])
order by d.job_id, d.depends_on_id`,
);
