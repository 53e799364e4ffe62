import type { Job } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { residualOf } from '../../job-residual.ts';
import type { JobConditions, WalkSource } from '../../job-walk-parts.ts';
import { Parameters } from '../../parameters.ts';
import { type Statement, statement } from '../../statement.ts';
import { orderedSource } from '../../walk-source.ts';

/** A statement with its values. */
export interface BoundStatement {
  readonly statement: Statement;
  readonly values: readonly unknown[];
}

/**
 * One tenant's jobs in the order of their ids, or of their ends: the first `take` that meet the conditions,
 * among the first `budget` of a source. Its text has only the conditions that there are, so that a plan is
 * made for them and never for what might have been asked.
 * @param columns what is selected of the row `j`
 * Locks nothing. Index: that of the source (`WalkSource`), then jobs_pkey, one look a job.
 */
export function findListedJobs(
  source: WalkSource,
  conditions: JobConditions,
  { take, budget, columns }: { readonly take: number; readonly budget: number; readonly columns: string },
): BoundStatement {
  const parameters = new Parameters();
  const { from, orderBy } = orderedSource(source, conditions, parameters, parameters.add(budget, 'bigint'));
  const residual = residualOf(conditions, parameters);
  const text = `
select f.* from (${from}) w
-- A probe of the index each, whatever the statistics say: OFFSET 0 keeps it from being joined in any other
-- order.
cross join lateral (
  select ${columns} from millrace.jobs j where j.id = w.id and j.tenant_id = ${parameters.add(conditions.tenantId, 'uuid')}${residual} offset 0) f
order by ${orderBy}
limit ${parameters.add(take, 'bigint')}`;
  return { statement: statement('find_listed_jobs', text), values: parameters.values };
}

export type ListedJobRow = Columns<Job, 'id'>;
