import { statement } from '../../statement.ts';

/** The connection of all statements that end runs: they follow each other (see SettleBatch). */
export const SETTLING = 'settling';

/**
 * Ends runs: to a final status, or back to the queue (retry, snooze, hand-back), with their attempts and what
 * they used, and releases what waits for them. One row says which it did not move: those that were not ours
 * any more, or were to go back to the queue although their cancel was requested. Crosses tenants; fenced by
 * run number and token, which it takes away. Locks the rows in id order, then those of their
 * dependents. Index: jobs_pkey, by an array of the ids. See the migration plain_successes.
 */
export const settleRuns = statement(
  'settle_runs',
  `
select s.kept, s.released
from millrace.settle_runs($1::uuid[], $2::integer[], $3::uuid[], $4::text[], $5::jsonb[], $6::jsonb[], $7::text[], $8::float8[],
                          $9::text[], $10::float8[], $11::integer[], $12::integer[], $13::jsonb[]) s`,
  { dedicatedTo: SETTLING },
);

export interface SettledRow {
  /** Ids of the jobs that were not moved; null when all were. */
  readonly kept: readonly string[] | null;
  /** What the statement released: jobs that may run now, or some that are to be ended. */
  readonly released: 'ready' | 'doomed' | null;
}
