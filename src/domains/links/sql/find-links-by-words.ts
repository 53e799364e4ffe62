import { statement } from '../../../db/statement.ts';

/**
 * Links of the transaction's tenant with the words $1 (as people type them: `or`, `-without`, "phrases"), the
 * best first, at most $3 of the first $2 that are found. With a filter ($4 true) from $5 on only those that
 * match it. Locks nothing. Index: link_texts_words_idx.
 */
export const findLinksByWords = statement(
  'find_links_by_words',
  `
select w.link_id, w.rank
from millrace.links_by_words($1, $2::integer, $3::integer, $4::boolean, $5, $6, $7, $8::timestamptz, $9::timestamptz) w`,
);

export interface LinkByWordsRow {
  readonly link_id: string;
  readonly rank: number;
}
