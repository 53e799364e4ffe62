import { statement } from '../../../db/statement.ts';

/**
 * Adds amounts ($4) of units ($3) to what tenant $1 has used of definition $2 today (UTC). In the order of
 * the units, so that two transactions do not wait for each other crosswise. Locks the rows. Index:
 * usage_amounts_pkey.
 */
export const addUsageAmounts = statement(
  'add_usage_amounts',
  `
insert into millrace.usage_amounts as u (tenant_id, day, definition_id, unit, amount)
select $1::uuid, (clock_timestamp() at time zone 'UTC')::date, d.id, a.unit, a.amount
from millrace.job_definitions d cross join unnest($3::text[], $4::bigint[]) as a (unit, amount)
where d.key = $2 and a.amount > 0
order by a.unit
on conflict (tenant_id, day, definition_id, unit) do update set amount = u.amount + excluded.amount`,
);
