import type { JobConditions, WalkSource } from '../../job-walk-parts.ts';
import { Parameters } from '../../parameters.ts';
import { statement } from '../../statement.ts';
import { timeMicros } from '../../time-order.ts';
import { orderedSource } from '../../walk-source.ts';
import type { BoundStatement } from './find-listed-jobs.ts';

/**
 * The last job that `find_listed_jobs` looks at in a source: the one at `budget`; no row where the source
 * ends before. Locks nothing. Index: that of the source, mostly without the table.
 */
export function findWalkEnd(source: WalkSource, conditions: JobConditions, budget: number): BoundStatement {
  const parameters = new Parameters();
  const { from, orderBy } = orderedSource(source, conditions, parameters, parameters.add(budget, 'bigint'));
  const { order = 'created' } = conditions;
  const micros = order === 'created' ? '' : `, ${timeMicros('w', order)}`;
  const text = `
select w.id${micros} from (${from}) w order by ${orderBy} offset ${parameters.add(budget - 1, 'bigint')} limit 1`;
  return { statement: statement('find_walk_end', text), values: parameters.values };
}
