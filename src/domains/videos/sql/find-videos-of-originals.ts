import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Video } from '../../../generated/prisma/client.ts';

/**
 * The videos among ids $1, with those that were deleted and whose files may be there yet, as
 * `deleted`. Crosses tenants: names of files know none. Locks nothing. Indexes: videos_pkey,
 * deleted_media_pkey.
 */
export const findVideosOfOriginals = statement(
  'find_videos_of_originals',
  `
select id, tenant_id, status, original_key from millrace.videos where id = any ($1::uuid[])
union all
select id, tenant_id, 'deleted', original_key from millrace.deleted_media where id = any ($1::uuid[]) and kind = 'video'`,
);

export type VideoOfOriginalRow = Columns<Video, 'id' | 'tenant_id' | 'status' | 'original_key'>;
