import { statement } from '../../statement.ts';

/**
 * The first 100 jobs that wait or waited for each job, with the policies. Locks nothing. Index:
 * job_dependencies_parent_idx.
 */
export const dependentsOfJobs = statement(
  'dependents_of_jobs',
  `
select wanted.id as "jobId", d.job_id as "otherId", d.policy
from unnest($2::uuid[]) as wanted (id)
cross join lateral (
  select t.job_id, t.policy from millrace.job_dependencies t
  where t.tenant_id = $1::uuid and t.depends_on_id = wanted.id
  order by t.job_id limit 100
) d
order by wanted.id, d.job_id`,
);
