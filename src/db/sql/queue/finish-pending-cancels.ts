import type { JobRow } from '../../rows.ts';
import { statement } from '../../statement.ts';

/**
 * Ends up to $1 doomed jobs as canceled, and those that their end dooms. Crosses tenants. Locks the rows,
 * skipping what a worker has claimed this moment; then their dependents. Index: jobs_doomed_idx. See the
 * dependencies migration.
 */
export const finishPendingCancels = statement(
  'finish_pending_cancels',
  `
select (e.ended).*, e.definition_key, e.released from millrace.end_doomed_jobs($1) e`,
);

export interface EndedRow extends JobRow {
  readonly definition_key: string;
  /** Something became ready to run; the same on every row. */
  readonly released: boolean;
}
