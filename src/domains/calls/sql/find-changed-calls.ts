import { since, upTo } from '../../../db/feed-rows.ts';
import { statement } from '../../../db/statement.ts';

/**
 * A page of what happened to tenant $1's calls since a snapshot ($2 xmax, $3 xip) up to another ($4, $5;
 * null: the transaction's own), as `find_changed_jobs` has it: ids after $6, $7 rows, of creator $8; `total`
 * counts what is left, to $9 at most. Calls that are being worked on come as well: their jobs and progress
 * may have changed while the row did not. Locks nothing. Index: calls_changed_xid_idx and
 * media_tombstones_changed_xid_idx (bitmap of both halves), calls_in_work_idx.
 */
export const findChangedCalls = statement(
  'find_changed_calls',
  `
with missed as (
  select false as is_deleted, c.id, c.tenant_id, c.status, c.version::text as version, c.changed_xid::text as xid,
         null::text as subject_id, c.created_by
  from millrace.calls c
  where c.tenant_id = $1 and ($6::uuid is null or c.id > $6) and ${since('c')} and ${upTo('c')}
    and ($8::text is null or c.created_by = $8)
  union all
  select false, c.id, c.tenant_id, c.status, c.version::text, c.changed_xid::text, null, c.created_by
  from millrace.calls c
  where c.tenant_id = $1 and c.status in ('queued', 'transcribing', 'analyzing') and ($6::uuid is null or c.id > $6)
    and not ${since('c')} and ${upTo('c')} and ($8::text is null or c.created_by = $8)
  union all
  select true, m.id, m.tenant_id, m.kind, null, m.changed_xid::text, null, m.created_by
  from millrace.media_tombstones m
  where m.tenant_id = $1 and m.kind = 'call' and ($6::uuid is null or m.id > $6) and ${since('m')} and ${upTo('m')}
    and ($8::text is null or m.created_by = $8)
  order by id limit $9
)
select *, (count(*) over ())::integer as total from missed order by id limit $7`,
);
