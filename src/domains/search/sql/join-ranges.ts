import { statement } from '../../../db/statement.ts';

/**
 * Gives ranges of a video the time and the best reading of others of the same text ($3, $4: kept and joined,
 * pairs), and deletes those and the misread ones between them ($5). Locks the rows. Index: segments_pkey.
 */
export const joinRanges = statement(
  'join_ranges',
  `
with pairs as materialized (
  select * from unnest($3::uuid[], $4::uuid[]) as p (kept_id, other_id)
), ends as (
  select p.kept_id, max(s.t_end) as last_end from pairs p join millrace.segments s on s.id = p.other_id
  where s.tenant_id = $1 and s.video_id = $2
  group by p.kept_id
), best as (
  select distinct on (m.kept_id) m.kept_id, s.*
  from (select kept_id, other_id from pairs union select kept_id, kept_id from pairs) m
  join millrace.segments s on s.id = m.other_id
  where s.tenant_id = $1 and s.video_id = $2
  order by m.kept_id, s.confidence desc, s.t_start, s.id
), changed as (
  update millrace.segments s
  set t_end = greatest(s.t_end, e.last_end), frame_ms = b.frame_ms, text = b.text, confidence = b.confidence,
      language = b.language, bounding_box = b.bounding_box, words = b.words, indexed_at = now()
  from ends e join best b on b.kept_id = e.kept_id
  where s.tenant_id = $1 and s.video_id = $2 and s.id = e.kept_id
)
delete from millrace.segments s
using (select other_id as id from pairs union select unnest($5::uuid[])) gone
where s.tenant_id = $1 and s.video_id = $2 and s.id = gone.id`,
  { timeoutMs: 600_000 },
);
