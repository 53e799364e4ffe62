import { statement } from '../../../db/statement.ts';

/**
 * What a stage found out about a video; null leaves a column as it is, but for the error, which is always written.
 * Locks the row. Index: videos_pkey.
 */
export const updateVideo = statement(
  'update_video',
  `
update millrace.videos
set status = $3,
    proxy_key = coalesce($4, proxy_key),
    thumb_key = coalesce($5, thumb_key),
    duration_ms = coalesce($6::bigint, duration_ms),
    width_px = coalesce($7::integer, width_px),
    height_px = coalesce($8::integer, height_px),
    fps = coalesce($9::float8, fps),
    error = $10::jsonb,
    updated_at = clock_timestamp(), version = version + 1, changed_xid = pg_current_xact_id()
where tenant_id = $1 and id = $2`,
);
