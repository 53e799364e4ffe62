import type { UsageAmount } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/**
 * What the tenant of the transaction used beside runs on the days $1 to $2 (UTC, both included), by day,
 * definition and unit; with $3 only of definitions with these keys. Locks nothing. Index: usage_amounts_pkey.
 */
export const sumUsageAmounts = statement(
  'sum_usage_amounts',
  `
select to_char(u.day, 'YYYY-MM-DD') as day, d.id as definition_id, d.key as definition_key, u.unit, u.amount::text as amount
from millrace.usage_amounts u join millrace.job_definitions d on d.id = u.definition_id
where u.tenant_id = (select millrace.current_tenant_id()) and u.day between $1::date and $2::date
  and ($3::text[] is null or d.key = any ($3::text[]))
order by u.day, d.key, u.unit`,
);

export interface UsageAmountRow extends Columns<UsageAmount, 'definition_id' | 'unit' | 'amount'> {
  /** `2026-11-28`. */
  readonly day: string;
  readonly definition_key: string;
}
