import { statement } from '../../statement.ts';

/**
 * Makes up to $1 delayed jobs ready that are due, the longest due first.
 * Crosses tenants. Locks the rows FOR NO KEY UPDATE SKIP LOCKED. Index: jobs_delayed_idx.
 */
export const promoteDueJobs = statement(
  'promote_due_jobs',
  `
select millrace.promote_due_jobs($1) as promoted`,
);

export interface PromotedRow {
  readonly promoted: number;
}
