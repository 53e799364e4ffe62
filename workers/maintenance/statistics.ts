import type { Duty } from '../../src/core/duty.ts';
import type { Database } from '../../src/db/database.ts';
import { ANALYZED_TABLES, analyzeTables } from '../../src/db/sql/maintenance/analyze-tables.ts';
import {
  findPoorStatistics,
  type PoorStatisticsRow,
} from '../../src/db/sql/maintenance/find-poor-statistics.ts';

/** Below that, a table read whole is no loss. */
const ROWS_AT_LEAST = 1_000;
const TIMES_TOO_SMALL = 20;

/**
 * Has the statistics of a table taken again when they say that it is nearly empty and it is not. An ANALYZE,
 * the server's own too, that looks while a large INSERT is still open counts none of its rows; until the next
 * one, a minute and more, statements that know rows by their ids read the whole table instead, since it looks
 * cheapest.
 */
export function statisticsDuty(database: Database): Duty {
  return {
    name: 'statistics',
    everyMs: 2_000,
    run: async (turn) => {
      const { rows } = await database.asWorker<PoorStatisticsRow>(findPoorStatistics, [
        [...ANALYZED_TABLES],
        ROWS_AT_LEAST,
        TIMES_TOO_SMALL,
      ]);
      if (rows.length === 0 || !turn.goOn()) return { poor: 0 };
      await database.asWorker(analyzeTables, []);
      return { poor: rows.length };
    },
  };
}
