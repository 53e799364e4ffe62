import { statement } from '../../../db/statement.ts';

/**
 * Removes what a video has: clips and what says that their files are there, texts (what was recognised in
 * them goes with them) and what a search reads of them, its upload and its artifacts; and records that the
 * files are to be removed. The transaction holds the video. Locks those rows. Indexes: clips_video_idx,
 * segments_video_idx, ocr_frames_pkey, uploads_video_id_key, artifacts_subject_idx.
 */
export const deleteVideoRows = statement(
  'delete_video_rows',
  `
with gone_clips as (
  delete from millrace.clips where tenant_id = $1 and video_id = $2 returning id
), clip_artifacts as (
  delete from millrace.artifacts a using gone_clips c
  where a.tenant_id = $1 and a.subject_type = 'clip' and a.subject_id = c.id::text
), video_artifacts as (
  delete from millrace.artifacts where tenant_id = $1 and subject_type = 'video' and subject_id = $2::uuid::text
), texts as (
  delete from millrace.segments where tenant_id = $1 and video_id = $2
), frames as (
  delete from millrace.ocr_frames where tenant_id = $1 and video_id = $2
), upload as (
  delete from millrace.uploads where tenant_id = $1 and video_id = $2 returning store_state, completed_at
), clip_files as (
  insert into millrace.deleted_media (id, kind, tenant_id, video_id)
  select id, 'clip', $1, $2 from gone_clips
)
insert into millrace.deleted_media (id, kind, tenant_id, video_id, original_key, upload_state)
select $2, 'video', $1, $2, $3, (select store_state from upload where completed_at is null)`,
  { timeoutMs: 600_000 },
);
