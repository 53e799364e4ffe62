import { statement } from '../../statement.ts';

/**
 * Waiting jobs, among the first $1 by id, that wait for nothing any more: 0 at any time. Locks nothing.
 * Indexes: jobs_pending_idx, job_dependencies_pkey, jobs_pkey.
 */
export const countStuckDependents = statement(
  'count_stuck_dependents',
  `
select count(*)::integer as count
from (select j.id from millrace.jobs j where j.status = 'queued' and j.pending_dependencies > 0 order by j.id limit $1) w
where not exists (
  select from millrace.job_dependencies d join millrace.jobs p on p.id = d.depends_on_id
  where d.job_id = w.id and p.status in ('queued', 'running'))`,
);
