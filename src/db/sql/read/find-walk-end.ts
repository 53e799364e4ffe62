import { type JobConditions, Parameters, sourceOf, type WalkSource } from '../../job-walk-parts.ts';
import { statement } from '../../statement.ts';
import type { BoundStatement } from './find-listed-jobs.ts';

/**
 * The last job that `find_listed_jobs` looks at in a source: the one at `budget`; no row where the source ends before.
 * Locks nothing. Index: that of the source, mostly without the table.
 */
export function findWalkEnd(source: WalkSource, conditions: JobConditions, budget: number): BoundStatement {
  const parameters = new Parameters();
  const from = sourceOf(source, conditions, parameters, parameters.add(budget, 'bigint'));
  const text = `
select w.id from (${from}) w order by w.id ${conditions.direction} offset ${parameters.add(budget - 1, 'bigint')} limit 1`;
  return { statement: statement('find_walk_end', text), values: parameters.values };
}
