import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Segment } from '../../../generated/prisma/client.ts';

/**
 * The next $5 texts from ($3, $4) on, in the order of time, of those that this transaction has changed. Locks
 * nothing. Ordered by the column, not by what is given out under its name: only so a page reads no more than
 * itself. Index: segments_video_idx.
 */
export const findChangedSegments = statement(
  'find_changed_segments',
  `
select id, text, t_start::float8 as t_start
from millrace.segments s
where tenant_id = $1 and video_id = $2 and indexed_at = now() and (t_start, id) > ($3::bigint, $4::uuid)
order by s.t_start, s.id
limit $5`,
);

export interface ChangedSegmentRow extends Columns<Segment, 'id' | 'text'> {
  readonly t_start: number;
}
