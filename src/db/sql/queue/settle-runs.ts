import { statement } from '../../statement.ts';

/**
 * Ends runs: to a final status, or back to the queue (retry, snooze, hand-back), with their attempts and what they used, and
 * lets go whoever waits for them. Returns the ids it moved; one that is missing was not ours any more, or was to go back to
 * the queue although its cancel was requested. Crosses tenants; fenced by run number and token, which it takes away.
 * Locks the rows in id order, then those of their dependents. Index: jobs_pkey. See the settle migration.
 */
export const settleJobs = statement(
  'settle_jobs',
  `
select s.job_id as id, s.released
from millrace.settle_jobs($1::uuid[], $2::integer[], $3::uuid[], $4::text[], $5::jsonb[], $6::jsonb[], $7::text[], $8::float8[],
                          $9::text[], $10::float8[], $11::integer[], $12::integer[]) s`,
);

export interface SettledRow {
  readonly id: string;
  /** What the statement let go, the same on every row: jobs that may run now, or some that are to be ended. */
  readonly released: 'ready' | 'doomed' | null;
}
