import { statement } from '../../../db/statement.ts';

/**
 * Turns of the transaction's tenant's calls that answer a query: groups in JSON ($1), as `parseSearchQuery`
 * gives them, all of which must hold in one turn; of call $2 alone where it is given; $3 rows after rank and
 * place ($4, $5, $6). A word stands for itself, for words with its beginning while it is typed, and for words
 * a letter away. Locks nothing. See `search_calls`.
 */
export const searchCallsPage = statement(
  'search_calls_page',
  `
select t.call_id, t.position, t.speaker, t.start_ms, t.end_ms, t.text, t.score
from millrace.search_calls($1::jsonb, $2::uuid, $3::integer, $4::float8, $5::uuid, $6::integer) t`,
);

export interface CallHitRow {
  readonly call_id: string;
  readonly position: number;
  readonly speaker: number;
  readonly start_ms: number;
  readonly end_ms: number;
  readonly text: string;
  readonly score: number;
}
