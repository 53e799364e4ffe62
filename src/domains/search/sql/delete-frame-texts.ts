import { statement } from '../../../db/statement.ts';

/**
 * Takes away what was read in frames $3 of a video before. Locks their segments and rows. Indexes:
 * segments_video_idx, ocr_frames_pkey.
 */
export const deleteFrameTexts = statement(
  'delete_frame_texts',
  `
with frames as (
  delete from millrace.ocr_frames where tenant_id = $1 and video_id = $2 and frame_ms = any ($3::bigint[]) returning frame_ms
)
delete from millrace.segments s using frames f where s.tenant_id = $1 and s.video_id = $2 and s.frame_ms = f.frame_ms`,
  { timeoutMs: 600_000 },
);
