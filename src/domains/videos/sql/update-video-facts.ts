import { statement } from '../../../db/statement.ts';

/**
 * Another title or other languages for a video; null leaves a column. The transaction holds the row. Index:
 * videos_pkey.
 */
export const updateVideoFacts = statement(
  'update_video_facts',
  `
update millrace.videos
set title = coalesce($3, title), languages = coalesce($4::text[], languages),
    updated_at = clock_timestamp(), version = version + 1, changed_xid = pg_current_xact_id()
where tenant_id = $1 and id = $2`,
);
