import { statement } from '../../../db/statement.ts';

/**
 * Notes frames of a video as read; none where the tenant has no such video. Locks nothing that is
 * there. Index: videos_pkey.
 */
export const insertReadFrames = statement(
  'insert_read_frames',
  `
insert into millrace.ocr_frames
  (tenant_id, video_id, frame_ms, manifest_id, engine, engine_version, languages, min_confidence, segment_count)
select v.tenant_id, v.id, f.frame_ms, $5, $6, $7, $8::text[], $9::real, f.segment_count
from millrace.videos v
cross join unnest($3::bigint[], $4::integer[]) as f (frame_ms, segment_count)
where v.tenant_id = $1 and v.id = $2`,
);
