import { statement } from '../../statement.ts';

/**
 * Deletes up to $2 tombstones older than $1 hours, which is how long a cursor of the feed lives. Crosses tenants.
 * Locks the rows, oldest first, skipping locked ones. Index: job_tombstones_deleted_idx.
 */
export const pruneTombstones = statement(
  'prune_tombstones',
  `
delete from millrace.job_tombstones
where job_id in (
    select job_id from millrace.job_tombstones
    where deleted_at < clock_timestamp() - make_interval(hours => $1)
    order by deleted_at
    limit $2
    for update skip locked)`,
);
