import { statement } from '../../statement.ts';

/**
 * Deletes the daily sums of days that ended more than $1 seconds ago. Crosses tenants. Locks the rows.
 * Index: usage_days_pkey, by its second column; a row a tenant, day, definition and outcome.
 */
export const pruneUsageDays = statement(
  'prune_usage_days',
  `
delete from millrace.usage_days
where day < ((clock_timestamp() - make_interval(secs => $1::float8)) at time zone 'UTC')::date`,
);
