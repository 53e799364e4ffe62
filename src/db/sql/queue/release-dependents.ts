import { statement } from '../../statement.ts';

/**
 * Releases or cancels what waits for jobs $1, which the transaction has moved to a final state in an earlier
 * statement. Locks the dependents in id order. Indexes: job_dependencies_parent_idx, jobs_pkey. See the
 * dependencies migration.
 */
export const releaseDependents = statement(
  'release_dependents',
  `
select coalesce(bool_or(r.action = 'ready'), false) as ready, coalesce(bool_or(r.action = 'doomed'), false) as "pendingCancels"
from millrace.release_dependents($1::uuid[]) r`,
);
