import { statement } from '../../../db/statement.ts';

/**
 * Makes one range of the rows of a video that have the same text and follow each other within $3
 * milliseconds. The row that begins first stays, so that an id that somebody got from the reader of frames
 * goes on to mean the text, with what was read best; the others are deleted. Ranges that are merged already
 * stay untouched, and \`indexed_at\` shows those that changed: it is the transaction's time. The video is
 * named for each table again, so that none is ever joined whole. Locks the rows that it changes. Index:
 * segments_video_idx.
 */
export const mergeSegments = statement(
  'merge_segments',
  `
with ordered as (
  select id, text_hash, t_start, t_end, confidence, indexed_at,
         max(t_end) over (partition by text_hash order by t_start, id rows between unbounded preceding and 1 preceding) as seen_end
  from millrace.segments
  where tenant_id = $1 and video_id = $2
), numbered as (
  select *, count(*) filter (where seen_end is null or t_start > seen_end + $3::bigint)
              over (partition by text_hash order by t_start, id) as range_no
  from ordered
), ranked as (
  select id, t_end, indexed_at,
         first_value(id) over by_time as kept_id,
         first_value(id) over (partition by text_hash, range_no order by confidence desc, t_start, id) as best_id,
         max(t_end) over (partition by text_hash, range_no) as last_end
  from numbered
  window by_time as (partition by text_hash, range_no order by t_start, id)
), kept as (
  select id, best_id, last_end from ranked
  where id = kept_id and (indexed_at is null or best_id <> id or last_end <> t_end)
), changed as (
  update millrace.segments s
  set t_end = k.last_end, frame_ms = b.frame_ms, text = b.text, confidence = b.confidence, language = b.language,
      bounding_box = b.bounding_box, words = b.words, indexed_at = now()
  from kept k join millrace.segments b on b.id = k.best_id
  where b.tenant_id = $1 and b.video_id = $2 and s.tenant_id = $1 and s.video_id = $2 and s.id = k.id
)
delete from millrace.segments s
using ranked r
where s.tenant_id = $1 and s.video_id = $2 and s.id = r.id and r.id <> r.kept_id`,
  { timeoutMs: 600_000 },
);
