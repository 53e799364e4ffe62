import { statement } from '../../../db/statement.ts';
import { matchesFilter } from '../filter-conditions.ts';

/**
 * Links of tenant $1 with the words $2 (as people type them: `or`, `-without`, "phrases"), the best first, at most $4 of the first $3 that are found.
 * With a filter ($5 true) from $6 on only those that match it. Locks nothing. Index: link_texts_words_idx.
 */
export const findLinksByWords = statement(
  'find_links_by_words',
  `
select found.link_id, ts_rank_cd(found.words, websearch_to_tsquery('english', $2), 32)::float8 as rank
from (
  select t.link_id, t.words
  from millrace.link_texts t
  where t.tenant_id = $1
    and t.words @@ (websearch_to_tsquery('english', $2) && ('''tenant:' || ($1::uuid)::text || '''')::tsquery)
    and numnode(websearch_to_tsquery('english', $2)) > 0
    and (not $5::boolean or exists (select from millrace.links l where l.id = t.link_id and ${matchesFilter('l', 6)}))
  limit $3
) found
order by rank desc, found.link_id desc
limit $4`,
);

export interface LinkByWordsRow {
  readonly link_id: string;
  readonly rank: number;
}
