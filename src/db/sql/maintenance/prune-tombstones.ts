import { statement } from '../../statement.ts';

/**
 * Deletes up to $2 tombstones of jobs, and as many of videos and clips, that are older than $1 hours, which
 * is how long a cursor of the feed lives. Crosses tenants. Locks the rows, oldest first, skipping locked
 * ones.
 * Indexes: job_tombstones_deleted_idx, media_tombstones_deleted_idx.
 */
export const pruneTombstones = statement(
  'prune_tombstones',
  `
with media as (
  delete from millrace.media_tombstones
  where id in (
      select id from millrace.media_tombstones
      where deleted_at < clock_timestamp() - make_interval(hours => $1)
      order by deleted_at
      limit $2
      for update skip locked)
  returning id
), jobs as (
  delete from millrace.job_tombstones
  where job_id in (
      select job_id from millrace.job_tombstones
      where deleted_at < clock_timestamp() - make_interval(hours => $1)
      order by deleted_at
      limit $2
      for update skip locked)
  returning job_id
)
select (select count(*) from jobs)::integer as jobs, (select count(*) from media)::integer as media`,
);

export interface PrunedTombstonesRow {
  readonly jobs: number;
  readonly media: number;
}
