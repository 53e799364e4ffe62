import { statement } from '../../statement.ts';
import { SETTLING } from './settle-runs.ts';

/**
 * Ends runs that succeeded and give no reason; $1 in ascending order. Answers as `settle_runs` does, and
 * releases what waits for them. Crosses tenants; fenced by run number and token, which it takes away. Locks
 * the rows in id order, then those of their dependents.
 * Index: jobs_pkey, by an array of the ids. See the migration plain_successes.
 */
export const succeedRuns = statement(
  'succeed_runs',
  `
select s.kept, s.released
from millrace.succeed_runs($1::uuid[], $2::integer[], $3::uuid[], $4::jsonb[], $5::float8[], $6::integer[], $7::integer[]) s`,
  { dedicatedTo: SETTLING },
);
