import { statement } from '../../../db/statement.ts';

/** Writes what was found in texts of one video. Locks nothing that is there. Index: none. */
export const insertEntities = statement(
  'insert_entities',
  `
insert into millrace.entities
  (tenant_id, video_id, segment_id, entity_type, subtype, value, normalized_value, domain, amount, currency)
select $1, $2, e.*
from unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::numeric[], $10::text[]) as e`,
);
