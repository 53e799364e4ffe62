import { statement } from '../../../db/statement.ts';

/**
 * What a fresh list of tenant $1's videos starts from: newest first, at most $2. Filters, each null where it
 * is not used: $3 statuses, $4 creator. Locks nothing. Index: videos_history_idx, read backwards.
 */
export const findInitialVideos = statement(
  'find_initial_videos',
  `
select v.id, v.tenant_id, v.status, v.version::text as version, v.changed_xid::text as xid,
       null::text as subject_id, v.owner_id as created_by
from millrace.videos v
where v.tenant_id = $1 and ($3::text[] is null or v.status = any ($3)) and ($4::text is null or v.owner_id = $4)
order by v.id desc
limit $2`,
);
