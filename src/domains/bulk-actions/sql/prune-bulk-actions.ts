import { statement } from '../../../db/statement.ts';

/**
 * Deletes bulk actions that ended more than $1 seconds ago, at most $2. Crosses tenants. Index:
 * bulk_actions_finished_idx.
 */
export const pruneBulkActions = statement(
  'prune_bulk_actions',
  `
delete from millrace.bulk_actions
where id in (
  select o.id from millrace.bulk_actions o
  where o.status <> 'running' and o.finished_at < clock_timestamp() - make_interval(secs => $1)
  order by o.finished_at limit $2)`,
);
