import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Video } from '../../../generated/prisma/client.ts';

/**
 * A video that is about to be deleted, so that nothing comes to it any more. Locks the row. Index:
 * videos_pkey.
 */
export const holdVideoToDelete = statement(
  'hold_video_to_delete',
  `
select title, original_key, version::text as version from millrace.videos where tenant_id = $1 and id = $2 for update`,
);

export type VideoToDeleteRow = Columns<Video, 'title' | 'original_key' | 'version'>;
