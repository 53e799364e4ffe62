import { statement } from '../../../db/statement.ts';

/**
 * One page of a search of the transaction's tenant: $1 what is asked for, as JSON; the answer likewise. Its
 * function chooses the way by how often the words occur (see its file). Locks nothing. Index:
 * search_materialized_tsv_idx or search_materialized_video_idx, search_words_word_idx, search_words_typo_idx,
 * search_words_shape_idx.
 */
export const searchVideosPage = statement(
  'search_videos_page',
  'select millrace.search_videos_page($1::jsonb) as page',
);
