import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Segment } from '../../../generated/prisma/client.ts';

/**
 * The next $6 ranges of a video from ($3, $4) on, in the order of time, whose text has at least $5 letters.
 * Locks nothing.
 * Index: segments_video_idx.
 */
export const findRanges = statement(
  'find_ranges',
  `
select id, text_hash, normalized_text, t_start::float8 as t_start, t_end::float8 as t_end, confidence,
       (bounding_box->>'x')::float8 as x, (bounding_box->>'y')::float8 as y,
       (bounding_box->>'width')::float8 as width, (bounding_box->>'height')::float8 as height
from millrace.segments s
where tenant_id = $1 and video_id = $2 and (t_start, id) > ($3::bigint, $4::uuid) and length(normalized_text) >= $5
order by s.t_start, s.id
limit $6`,
);

export interface RangeRow extends Columns<Segment, 'id' | 'text_hash' | 'normalized_text' | 'confidence'> {
  readonly t_start: number;
  readonly t_end: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
