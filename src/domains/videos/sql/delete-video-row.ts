import { statement } from '../../../db/statement.ts';

/** Removes a video that has nothing left. The transaction holds it. Index: videos_pkey. */
export const deleteVideoRow = statement(
  'delete_video_row',
  `delete from millrace.videos where tenant_id = $1 and id = $2`,
);
