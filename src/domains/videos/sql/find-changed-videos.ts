import { since, upTo } from '../../../db/feed-rows.ts';
import { statement } from '../../../db/statement.ts';

/**
 * A page of what happened to tenant $1's videos since a snapshot ($2 xmax, $3 xip) up to another ($4, $5;
 * null: the transaction's own), as `find_changed_jobs` has it: ids after $6, $7 rows, of creator $8; `total`
 * counts what is left, to $9 at most. Videos that are being worked on come as well: their jobs and progress
 * may have changed while the row did not. Locks nothing. Index: videos_changed_xid_idx and
 * media_tombstones_changed_xid_idx (bitmap of both halves), videos_in_work_idx.
 */
export const findChangedVideos = statement(
  'find_changed_videos',
  `
with missed as (
  select false as is_deleted, v.id, v.tenant_id, v.status, v.version::text as version, v.changed_xid::text as xid,
         null::text as subject_id, v.owner_id as created_by
  from millrace.videos v
  where v.tenant_id = $1 and ($6::uuid is null or v.id > $6) and ${since('v')} and ${upTo('v')}
    and ($8::text is null or v.owner_id = $8)
  union all
  select false, v.id, v.tenant_id, v.status, v.version::text, v.changed_xid::text, null, v.owner_id
  from millrace.videos v
  where v.tenant_id = $1 and v.status in ('uploaded', 'processing', 'transcoded') and ($6::uuid is null or v.id > $6)
    and not ${since('v')} and ${upTo('v')} and ($8::text is null or v.owner_id = $8)
  union all
  select true, m.id, m.tenant_id, m.kind, null, m.changed_xid::text, null, m.created_by
  from millrace.media_tombstones m
  where m.tenant_id = $1 and m.kind = 'video' and ($6::uuid is null or m.id > $6) and ${since('m')} and ${upTo('m')}
    and ($8::text is null or m.created_by = $8)
  order by id limit $9
)
select *, (count(*) over ())::integer as total from missed order by id limit $7`,
);
