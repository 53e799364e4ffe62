import { statement } from '../../../db/statement.ts';

/**
 * Records that a video's original is there. The transaction holds the row (lock_video). Index: videos_pkey.
 */
export const recordUpload = statement(
  'record_upload',
  `
update millrace.videos
set status = 'uploaded', size_bytes = $3, content_type = coalesce(content_type, $4), error = null,
    updated_at = clock_timestamp(), version = version + 1, changed_xid = pg_current_xact_id()
where tenant_id = $1 and id = $2`,
);
