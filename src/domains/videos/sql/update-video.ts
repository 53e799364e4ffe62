import { statement } from '../../../db/statement.ts';

/**
 * What a stage found out about a video; null leaves a column as it is, but for the error, which is always
 * written. A video that can be watched stays so when a job about it fails: what is there does not become
 * worse. `made_bytes` is the sum of what has been made of it, which the same transaction has recorded.
 * Locks the row. Index: videos_pkey, artifacts_subject_idx.
 */
export const updateVideo = statement(
  'update_video',
  `
update millrace.videos
set status = case when $3 = 'failed' and status = 'ready' then status else $3 end,
    proxy_key = coalesce($4, proxy_key),
    thumb_key = coalesce($5, thumb_key),
    duration_ms = coalesce($6::bigint, duration_ms),
    width_px = coalesce($7::integer, width_px),
    height_px = coalesce($8::integer, height_px),
    fps = coalesce($9::float8, fps),
    error = case when $3 = 'failed' and status = 'ready' then error else $10::jsonb end,
    made_bytes = (select coalesce(sum(a.size_bytes), 0) from millrace.artifacts a
                  where a.tenant_id = $1 and a.subject_type = 'video' and a.subject_id = $2::uuid::text),
    updated_at = clock_timestamp(), version = version + 1, changed_xid = pg_current_xact_id()
where tenant_id = $1 and id = $2`,
);
