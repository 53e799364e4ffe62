import { statement } from '../../statement.ts';

/**
 * Which of the tables $1 the planner takes for $3 times smaller than they are, of those with $2 rows or more.
 * As the planner estimates it: rows a page when the statistics were taken, times the pages of now. A table
 * that was never looked at (-1), or that was empty then (no pages), it guesses well enough. Crosses tenants,
 * locks nothing, reads the catalog only.
 */
export const findPoorStatistics = statement(
  'find_poor_statistics',
  `
select c.relname as name
from pg_stat_user_tables s join pg_class c on c.oid = s.relid
where s.schemaname = 'millrace' and s.relname = any ($1::text[])
  and s.n_live_tup >= $2 and c.relpages > 0 and c.reltuples >= 0
  and c.reltuples / c.relpages * (pg_relation_size(c.oid) / current_setting('block_size')::float8) * $3 < s.n_live_tup`,
);

export interface PoorStatisticsRow {
  readonly name: string;
}
