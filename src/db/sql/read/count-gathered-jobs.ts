import type { JobConditions, WalkSource } from '../../job-walk-parts.ts';
import { Parameters } from '../../parameters.ts';
import { statement } from '../../statement.ts';
import { countedFrom } from '../../walk-source.ts';
import type { BoundStatement } from './find-listed-jobs.ts';

/**
 * How many jobs a source that is not in the order asked for holds, counted up to `most` and no further.
 * Locks nothing. Index: that of the source (`WalkSource`).
 */
export function countGatheredJobs(
  source: WalkSource,
  conditions: JobConditions,
  most: number,
): BoundStatement {
  const parameters = new Parameters();
  const from = countedFrom(source, conditions, parameters);
  const text = `
select count(*)::integer as count from (select from (${from}) g limit ${parameters.add(most, 'bigint')}) c`;
  return { statement: statement('count_gathered_jobs', text), values: parameters.values };
}

export interface GatheredCountRow {
  readonly count: number;
}
