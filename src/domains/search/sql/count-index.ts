import { statement } from '../../../db/statement.ts';

/** How much a video's index holds. Locks nothing. Index: segments_video_idx, entities_segment_idx. */
export const countIndex = statement(
  'count_index',
  `
select (select count(*) from millrace.segments where tenant_id = $1 and video_id = $2)::integer as segment_count,
       (select count(*) from millrace.segments s join millrace.entities e on e.segment_id = s.id
        where s.tenant_id = $1 and s.video_id = $2)::integer as entity_count`,
);

export interface IndexCountRow {
  readonly segment_count: number;
  readonly entity_count: number;
}
