import { statement } from '../../statement.ts';

/** The first 100 jobs that replay each job. Locks nothing. Index: jobs_replays_idx. */
export const replaysOfJobs = statement(
  'replays_of_jobs',
  `
select wanted.id as "jobId", r.id as "otherId"
from unnest($2::uuid[]) as wanted (id)
cross join lateral (
  select j.id from millrace.jobs j
  where j.tenant_id = $1::uuid and j.replay_of = wanted.id
  order by j.id limit 100
) r
order by wanted.id, r.id`,
);
