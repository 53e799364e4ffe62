import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Upload } from '../../../generated/prisma/client.ts';
import type { PartialState } from '../../../storage/partial-store.ts';

/**
 * The resumable upload of a video, whatever its state. The transaction holds the video. Index:
 * uploads_video_id_key.
 */
export const findUploadOfVideo = statement(
  'find_upload_of_video',
  `select id, store_state from millrace.uploads where tenant_id = $1 and video_id = $2`,
);

export interface UploadOfVideoRow extends Columns<Upload, 'store_state'> {
  readonly store_state: PartialState;
}
