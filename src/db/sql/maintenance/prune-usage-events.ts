import { statement } from '../../statement.ts';

/**
 * Deletes up to $2 stored usage events older than $1 seconds that are summed up in usage_days already.
 * Crosses tenants. Locks the rows.
 * Index: stored_usage_events_pkey, by its second column.
 */
export const pruneUsageEvents = statement(
  'prune_usage_events',
  `
delete from millrace.stored_usage_events e
where (e.tenant_id, e.created_at, e.id) in (
    select o.tenant_id, o.created_at, o.id from millrace.stored_usage_events o
    where o.created_at < least(clock_timestamp() - make_interval(secs => $1::float8), (select r.rolled_until from millrace.usage_rollup r))
    limit $2)`,
);
