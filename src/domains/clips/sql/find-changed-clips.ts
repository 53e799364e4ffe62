import { since, upTo } from '../../../db/feed-rows.ts';
import { statement } from '../../../db/statement.ts';

/**
 * A page of what happened to tenant $1's clips since a snapshot ($2 xmax, $3 xip) up to another ($4, $5;
 * null: the transaction's own), as `find_changed_jobs` has it: ids after $6, $7 rows, of creator $8; `total`
 * counts what is left, to $9 at most. $10: clips of this video or call. Clips that are being made come as
 * well: their jobs and progress may have changed while the row did not. Locks nothing. Index:
 * clips_changed_xid_idx and media_tombstones_changed_xid_idx (bitmap of both halves), clips_in_work_idx.
 */
export const findChangedClips = statement(
  'find_changed_clips',
  `
with missed as (
  select false as is_deleted, c.id, c.tenant_id, c.status, c.version::text as version, c.changed_xid::text as xid,
         coalesce(c.video_id, c.call_id)::text as subject_id, c.created_by
  from millrace.clips c
  where c.tenant_id = $1 and ($6::uuid is null or c.id > $6) and ${since('c')} and ${upTo('c')} and ${matching('c')}
  union all
  select false, c.id, c.tenant_id, c.status, c.version::text, c.changed_xid::text, coalesce(c.video_id, c.call_id)::text, c.created_by
  from millrace.clips c
  where c.tenant_id = $1 and c.status = 'queued' and ($6::uuid is null or c.id > $6)
    and not ${since('c')} and ${upTo('c')} and ${matching('c')}
  union all
  select true, m.id, m.tenant_id, m.kind, null, m.changed_xid::text, m.video_id::text, m.created_by
  from millrace.media_tombstones m
  where m.tenant_id = $1 and m.kind = 'clip' and ($6::uuid is null or m.id > $6) and ${since('m')} and ${upTo('m')}
    and ${matching('m')}
  order by id limit $9
)
select *, (count(*) over ())::integer as total from missed order by id limit $7`,
);

/** What is left of a deleted clip has both kinds of parents in one column. */
function matching(row: 'c' | 'm'): string {
  const parent = row === 'c' ? 'c.video_id = $10 or c.call_id = $10' : 'm.video_id = $10';
  return `($8::text is null or ${row}.created_by = $8) and ($10::uuid is null or ${parent})`;
}
