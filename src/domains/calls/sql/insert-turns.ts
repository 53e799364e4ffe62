import { statement } from '../../../db/statement.ts';

/** Turns of a new transcript, column by column, as they are searched. Locks the new rows. */
export const insertTurns = statement(
  'insert_turns',
  `
insert into millrace.call_turns (call_id, tenant_id, position, speaker, start_ms, end_ms, text, words, confidence, tsv)
select $1::uuid, $2::uuid, t.position, t.speaker, t.start_ms, t.end_ms, t.text, t.words, t.confidence,
       coalesce((select string_agg(millrace.search_lexeme(millrace.search_mark($2::uuid), w.word) || ':' || w.place, ' ')::tsvector
                 from millrace.search_tokens(left(t.text, 20000)) w), '')
from unnest($3::integer[], $4::integer[], $5::bigint[], $6::bigint[], $7::text[], $8::jsonb[], $9::real[])
  as t (position, speaker, start_ms, end_ms, text, words, confidence)`,
);
