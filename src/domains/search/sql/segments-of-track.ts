import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Segment } from '../../../generated/prisma/client.ts';

/**
 * The next segments of a video behind a time and id, in their order: $1 tenant, $2 video, $3 and $4 behind
 * which,
 * $5 how many at most. Locks nothing. Index: segments_video_idx.
 */
export const segmentsOfTrack = statement(
  'segments_of_track',
  `
select s.id, s.t_start as "startMs", s.t_end as "endMs", s.text, s.bounding_box as "boundingBox"
from millrace.segments s
where s.tenant_id = $1::uuid and s.video_id = $2::uuid and (s.t_start, s.id) > ($3::bigint, $4::uuid)
order by s.t_start, s.id
limit $5::integer`,
);

export interface TrackSegmentRow extends Columns<Segment, 'id' | 'text'> {
  readonly startMs: bigint;
  readonly endMs: bigint;
  readonly boundingBox: unknown;
}
