import { statement } from '../../../db/statement.ts';

/**
 * What a fresh list of tenant $1's clips starts from: newest first, at most $2. Filters, each null where it
 * is not used: $3 stored statuses, $4 creator, $5 video or call. Locks nothing. Index: clips_video_idx with a
 * video, clips_call_idx with a call, else clips_history_idx, read backwards.
 */
export const findInitialClips = statement(
  'find_initial_clips',
  `
select * from (
  ${branch('$5::uuid is not null and c.video_id = $5')}
  union all
  ${branch('$5::uuid is not null and c.call_id = $5')}
  union all
  ${branch('$5::uuid is null')}
) as clips
order by id desc
limit $2`,
);

/** Each with an index of its own: one of them is never run. */
function branch(which: string): string {
  return `(select c.id, c.tenant_id, c.status, c.version::text as version, c.changed_xid::text as xid,
          coalesce(c.video_id, c.call_id)::text as subject_id, c.created_by
   from millrace.clips c
   where c.tenant_id = $1 and ${which}
     and ($3::text[] is null or c.status = any ($3)) and ($4::text is null or c.created_by = $4)
   order by c.id desc limit $2)`;
}
