import { statement } from '../../../db/statement.ts';

/** Brings the search up to date with what was indexed of one video. Locks that video's rows of the search. */
export const refreshSearch = statement('refresh_search', 'select millrace.refresh_search_materialized($1)', {
  timeoutMs: 600_000,
});
