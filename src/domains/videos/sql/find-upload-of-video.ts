import { statement } from '../../../db/statement.ts';

/**
 * The resumable upload of a video, whatever its state. The transaction holds the video. Index:
 * uploads_video_id_key.
 */
export const findUploadOfVideo = statement(
  'find_upload_of_video',
  `select id, store_state from millrace.uploads where tenant_id = $1 and video_id = $2`,
);
