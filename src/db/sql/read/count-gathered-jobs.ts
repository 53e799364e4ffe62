import { gatheredFrom, type JobConditions, Parameters, type WalkSource } from '../../job-walk-parts.ts';
import { statement } from '../../statement.ts';
import type { BoundStatement } from './find-listed-jobs.ts';

/**
 * How many jobs a source that is not in the order of ids holds, counted up to `most` and no further.
 * Locks nothing. Index: jobs_ready_idx, jobs_waiting_idx and jobs_running_idx, or jobs_finished_idx.
 */
export function countGatheredJobs(
  source: Extract<WalkSource, 'active' | 'finished'>,
  conditions: JobConditions,
  most: number,
): BoundStatement {
  const parameters = new Parameters();
  const from = gatheredFrom(source, conditions, parameters);
  const text = `
select count(*)::integer as count from (select from (${from}) g limit ${parameters.add(most, 'bigint')}) c`;
  return { statement: statement('count_gathered_jobs', text), values: parameters.values };
}

export interface GatheredCountRow {
  readonly count: number;
}
