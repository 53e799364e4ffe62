import { statement } from '../../../db/statement.ts';

/**
 * Lets the transaction’s reads of the graph look at $1 codes at a time, and go on until enough are of the
 * tenant and match the filter, $2 at most. Locks nothing. Index: none.
 */
export const setGraphSearch = statement(
  'set_graph_search',
  `
select set_config('hnsw.ef_search', $1, true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
       set_config('hnsw.max_scan_tuples', $2, true)`,
);
