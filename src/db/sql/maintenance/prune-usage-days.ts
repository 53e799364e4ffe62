import { statement } from '../../statement.ts';

/**
 * Deletes the daily sums, of runs and of what is paid for, of days that ended more than $1 seconds ago.
 * Crosses tenants. Locks the rows.
 * Indexes: usage_days_pkey and usage_amounts_pkey, by their second columns; a row a tenant, day, definition
 * and outcome or unit.
 */
export const pruneUsageDays = statement(
  'prune_usage_days',
  `
with amounts as (
  delete from millrace.usage_amounts
  where day < ((clock_timestamp() - make_interval(secs => $1::float8)) at time zone 'UTC')::date
)
delete from millrace.usage_days
where day < ((clock_timestamp() - make_interval(secs => $1::float8)) at time zone 'UTC')::date`,
);
