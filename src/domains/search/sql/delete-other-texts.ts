import { statement } from '../../../db/statement.ts';

/**
 * Removes what was read on frames of a video that were kept by another manifest than $3 (null: on all of
 * them), and the marks of having read them. Locks those rows. Index: ocr_frames_pkey, segments_video_idx.
 */
export const deleteOtherTexts = statement(
  'delete_other_texts',
  `
with removed as (
  delete from millrace.ocr_frames
  where tenant_id = $1 and video_id = $2 and manifest_id is distinct from $3
)
delete from millrace.segments
where tenant_id = $1 and video_id = $2
  and frame_ms not in (
    select frame_ms from millrace.ocr_frames where tenant_id = $1 and video_id = $2 and manifest_id = $3
  )`,
  { timeoutMs: 600_000 },
);
