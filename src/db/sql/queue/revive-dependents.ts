import type { JobRow } from '../../rows.ts';
import { statement } from '../../statement.ts';

/**
 * Brings back, at least $2 of them if there are that many, the jobs that the end of jobs $1 had ended; the
 * transaction has put $1 back into the queue in an earlier statement. `is_edge`: its own children are still
 * to be looked at. Locks the dependents level by level in id order. Indexes: job_dependencies_parent_idx,
 * jobs_pkey. See the dependencies migration.
 */
export const reviveDependents = statement(
  'revive_dependents',
  `
select (r.revived).*, r.definition_key, r.is_edge from millrace.revive_dependents($1::uuid[], $2) r`,
);

export interface RevivedRow extends JobRow {
  readonly definition_key: string;
  readonly is_edge: boolean;
}
