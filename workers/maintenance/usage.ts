import { type Duty, inBatches } from '../../src/core/duty.ts';
import type { Database } from '../../src/db/database.ts';
import { pruneUsageDays } from '../../src/db/sql/maintenance/prune-usage-days.ts';
import { pruneUsageEvents } from '../../src/db/sql/maintenance/prune-usage-events.ts';
import { readUsageLag, type UsageLagRow } from '../../src/db/sql/maintenance/read-usage-lag.ts';
import { rollUsageHour } from '../../src/db/sql/maintenance/roll-usage-hour.ts';

export interface UsageDeps {
  readonly database: Database;
  /** How long events and daily sums are kept; null forever. */
  readonly retentionSeconds: number | null;
  /** Called at each turn with the seconds that the sums are behind. */
  readonly onLag?: (seconds: number) => void;
}

/** Every writer into an hour has committed this long after its end. */
const SETTLED_AFTER_SECONDS = 900;
const BATCH = 1_000;
/**
 * Far behind, it sums up for most of its time: what asks for usage meanwhile reads what is not in the sums
 * yet.
 */
const HOURS_BUDGET = { restPerWork: 1, budgetMs: 30_000 };

/** Sums up the tenants' usage, hour by hour, and deletes what is older than it is to be kept. */
export function usageDuty({ database, retentionSeconds, onLag }: UsageDeps): Duty {
  return {
    name: 'usage',
    everyMs: 60_000,
    run: async (turn) => {
      const behind = await database.asWorker<UsageLagRow>(readUsageLag, [SETTLED_AFTER_SECONDS]);
      onLag?.(behind.rows[0]?.lag_seconds ?? 0);
      const hours = await inBatches(
        turn,
        async () => {
          const { rowCount } = await database.asWorker(rollUsageHour, [SETTLED_AFTER_SECONDS]);
          return { done: rowCount ?? 0, more: rowCount === 1 };
        },
        HOURS_BUDGET,
      );
      if (retentionSeconds === null) return { hours };
      const events = await inBatches(turn, async () => {
        const { rowCount } = await database.asWorker(pruneUsageEvents, [retentionSeconds, BATCH]);
        return { done: rowCount ?? 0, more: rowCount === BATCH };
      });
      const days = await inBatches(turn, async () => {
        const { rowCount } = await database.asWorker(pruneUsageDays, [retentionSeconds]);
        return { done: rowCount ?? 0, more: false };
      });
      return { hours, events, days };
    },
  };
}
