import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Segment } from '../../../generated/prisma/client.ts';

/**
 * Ids of the first $3 texts, by time, of each of the videos $2 of tenant $1. Locks nothing. Index:
 * segments_video_idx, one look a video.
 */
export const firstSegmentsOfVideos = statement(
  'first_segments_of_videos',
  `
select s.id
from unnest($2::uuid[]) as v (id)
cross join lateral (
  select o.id from millrace.segments o
  where o.tenant_id = $1::uuid and o.video_id = v.id order by o.t_start, o.id limit $3) s`,
);

export type FirstSegmentRow = Columns<Segment, 'id'>;
