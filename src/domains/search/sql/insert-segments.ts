import { statement } from '../../../db/statement.ts';

/**
 * Writes texts of a video's frames, with the video's owner and team. Locks nothing that is there. Index:
 * videos_pkey.
 */
export const insertSegments = statement(
  'insert_segments',
  `
insert into millrace.segments
  (tenant_id, video_id, owner_id, team_id, frame_ms, t_start, t_end, text, normalized_text, text_hash, confidence, language,
   bounding_box, words)
select v.tenant_id, v.id, v.owner_id, v.team_id, s.frame_ms, s.t_start, s.t_end, s.text, s.normalized_text,
       encode(sha256(convert_to(s.normalized_text, 'UTF8')), 'hex'), s.confidence, s.language, s.bounding_box, s.words
from millrace.videos v
cross join unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::real[], $9::text[], $10::jsonb[], $11::jsonb[])
  as s (frame_ms, t_start, t_end, text, normalized_text, confidence, language, bounding_box, words)
where v.tenant_id = $1 and v.id = $2`,
);
