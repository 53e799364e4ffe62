import { statement } from '../../statement.ts';

/**
 * As `promote_due_jobs`, up to $1 of each lane. Looks at every lane that has delayed jobs: for a backlog
 * only. Crosses tenants. Locks the rows FOR NO KEY UPDATE SKIP LOCKED. Index: jobs_ready_idx.
 */
export const promoteDueLanes = statement(
  'promote_due_lanes',
  `
select millrace.promote_due_lanes($1) as promoted`,
);
