import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Clip } from '../../../generated/prisma/client.ts';

/**
 * Ids of the newest $3 clips of each of the videos $2 of tenant $1. Locks nothing. Index: clips_video_idx,
 * one look a video.
 */
export const firstClipsOfVideos = statement(
  'first_clips_of_videos',
  `
select c.id
from unnest($2::uuid[]) as v (id)
cross join lateral (
  select o.id from millrace.clips o where o.tenant_id = $1::uuid and o.video_id = v.id order by o.id desc limit $3) c`,
);

export type FirstClipRow = Columns<Clip, 'id'>;
