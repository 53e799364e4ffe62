import { statement } from '../../../db/statement.ts';

/**
 * What `enrich` made of tenant $1's link $2: summary $3, topics $4, entities $5, of the content $6, by $7
 * and $8. The summary is among the words that the link is found by. Locks the rows. Index: links_pkey,
 * link_texts_pkey.
 */
export const saveEnriched = statement(
  'save_enriched',
  `
with saved as (
  update millrace.links
  set summary = $3, topics = $4::text[], entities = $5::jsonb, enriched_hash = $6, enriched_by = $7, embedded_by = $8,
      enriched_at = clock_timestamp(),
      updated_at = clock_timestamp(), version = version + 1, changed_xid = pg_current_xact_id()
  where tenant_id = $1 and id = $2
  returning id, title, summary
)
update millrace.link_texts t
set words = setweight(to_tsvector('english', coalesce(s.title, '')), 'A') || setweight(to_tsvector('english', coalesce(s.summary, '')), 'B')
  || to_tsvector('english', left(t.text, 200000)) || array_to_tsvector(array['tenant:' || t.tenant_id::text])
from saved s
where t.link_id = s.id`,
);
