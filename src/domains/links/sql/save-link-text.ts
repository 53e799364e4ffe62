import { statement } from '../../../db/statement.ts';

/**
 * The text $3 of tenant $1's link $2 with its parts $4, as words to be found by: title $5 before summary $6
 * before the text. Long texts are found by their first 200,000 characters. The tenant is a word too. Locks
 * the row. Index: link_texts_pkey.
 */
export const saveLinkText = statement(
  'save_link_text',
  `
insert into millrace.link_texts (link_id, tenant_id, text, segments, words)
values ($2, $1, $3, $4::jsonb,
  setweight(to_tsvector('english', coalesce($5, '')), 'A') || setweight(to_tsvector('english', coalesce($6, '')), 'B')
  || to_tsvector('english', left($3, 200000)) || array_to_tsvector(array['tenant:' || ($1::uuid)::text]))
on conflict (link_id) do update
set text = excluded.text, segments = excluded.segments, words = excluded.words`,
);
