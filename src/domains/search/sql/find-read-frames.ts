import { statement } from '../../../db/statement.ts';

/**
 * Finds which of frames $3 of a video have been read in the same way. Locks nothing. Index: ocr_frames_pkey.
 */
export const findReadFrames = statement(
  'find_read_frames',
  `
select frame_ms::float8 as frame_ms from millrace.ocr_frames
where tenant_id = $1 and video_id = $2 and frame_ms = any ($3::bigint[]) and manifest_id = $4 and engine = $5
  and engine_version = $6 and languages = $7::text[] and min_confidence = $8::real
order by ocr_frames.frame_ms`,
);
