import { residualOf } from '../../job-residual.ts';
import type { JobConditions, WalkSource } from '../../job-walk-parts.ts';
import { Parameters } from '../../parameters.ts';
import { statement } from '../../statement.ts';
import { orderedSource } from '../../walk-source.ts';
import type { BoundStatement } from './find-listed-jobs.ts';

/**
 * How many of the first `budget` jobs of a source have payloads of at most `bytes` together, as they are
 * stored: of those that meet all conditions but that on the payload, since no other is read. Reads sizes and
 * no payload. Locks nothing. Index: that of the source, then jobs_pkey, one look a job.
 */
export function countAffordablePayloads(
  source: WalkSource,
  conditions: JobConditions,
  { budget, bytes }: { readonly budget: number; readonly bytes: number },
): BoundStatement {
  const parameters = new Parameters();
  const { from, orderBy } = orderedSource(source, conditions, parameters, parameters.add(budget, 'bigint'));
  const residual = residualOf({ ...conditions, payload: null }, parameters);
  const text = `
select count(*) filter (where s.bytes <= ${parameters.add(bytes, 'bigint')})::integer as count, count(*)::integer as total
from (select sum(coalesce(f.bytes, 0)) over (order by ${orderBy} rows unbounded preceding) as bytes
      from (${from}) w
      left join lateral (
        select pg_column_size(j.payload) as bytes from millrace.jobs j
        where j.id = w.id and j.tenant_id = ${parameters.add(conditions.tenantId, 'uuid')}${residual} offset 0) f on true) s`;
  return { statement: statement('count_affordable_payloads', text), values: parameters.values };
}

export interface AffordableRow {
  readonly count: number;
  /** Jobs that were looked at: `budget`, or all that the source has. */
  readonly total: number;
}
