import { type Duty, inBatches, type Turn } from '../../src/core/duty.ts';
import { WATCH_CHANNEL } from '../../src/db/channels.ts';
import type { Database } from '../../src/db/database.ts';
import type { Notifier } from '../../src/db/notifier.ts';
import {
  type DeletedJobsRow,
  deleteFinishedJobs,
} from '../../src/db/sql/maintenance/delete-finished-jobs.ts';
import { type DueRetentionRow, findDueRetention } from '../../src/db/sql/maintenance/find-due-retention.ts';
import { storeRetentionPosition } from '../../src/db/sql/maintenance/store-retention-position.ts';

export interface RetentionDeps {
  readonly database: Database;
  readonly notifier: Pick<Notifier, 'notify'>;
  /** For definitions and tenants that say nothing themselves; null keeps their jobs forever. */
  readonly defaultSeconds: number | null;
  /** 60,000 by default. */
  readonly everyMs?: number;
  /** Jobs that one statement deletes at most; 1,000 by default. */
  readonly batch?: number;
  /**
   * Called at each turn with the seconds for which the oldest job that may be due has been so; 0: none is.
   */
  readonly onLag?: (seconds: number) => void;
}

/**
 * Rows that one statement looks at: those of neighbours that are kept longer are stepped over, some
 * milliseconds at a time.
 */
const LOOKED_PER_DELETED = 4;
/** Jobs that were due but held or depended upon are met again after so long. */
const LOOK_AGAIN_SECONDS = 6 * 3_600;
/**
 * Deletions may take half of one connection's time: at a fifth, a busy installation ended more jobs than it
 * deleted.
 */
const REST_PER_WORK = 1;
/** Further behind than this it may take four fifths: what is not deleted costs every vacuum. */
const FAR_BEHIND_SECONDS = 86_400;
const REST_FAR_BEHIND = 0.25;
/** Time for one group, so that a tenant with millions of due jobs does not hold up the others. */
const GROUP_BUDGET_MS = 2_000;

/**
 * Deletes finished jobs when their time is up: as the definition says, else the tenant, else the
 * configuration. Up to where a tenant's jobs of one retention were looked through is stored, so that jobs
 * that are kept longer are not read again, by no leader.
 */
export function retentionDuty(deps: RetentionDeps): Duty {
  return {
    name: 'retention',
    everyMs: deps.everyMs ?? 60_000,
    run: async (turn) => {
      const { rows } = await deps.database.asWorker<DueRetentionRow>(findDueRetention, [deps.defaultSeconds]);
      deps.onLag?.(Math.max(0, ...rows.map((row) => row.lag_seconds)));
      let jobs = 0;
      let due = rows.map((row) => new DueGroup(row));
      while (due.length > 0 && turn.goOn()) {
        for (const group of due) jobs += await deleteDue(deps, group, turn);
        due = due.filter(({ isDone }) => !isDone);
      }
      return { jobs };
    },
  };
}

class DueGroup {
  readonly row: DueRetentionRow;
  position: string;
  hasLeft = false;
  isDone = false;

  constructor(row: DueRetentionRow) {
    this.row = row;
    this.position = row.position;
  }
}

async function deleteDue(
  { database, notifier, batch = 1_000 }: RetentionDeps,
  group: DueGroup,
  turn: Turn,
): Promise<number> {
  const { tenant_id: tenantId, seconds, definition_ids: definitionIds, until } = group.row;
  const work = async (): Promise<{ done: number; more: boolean }> => {
    const { rows } = await database.asWorker<DeletedJobsRow>(deleteFinishedJobs, [
      tenantId,
      group.position,
      until,
      definitionIds,
      LOOKED_PER_DELETED * batch,
      batch,
    ]);
    const row = rows[0] ?? { deleted: 0, has_left: false, position: null };
    if (row.deleted > 0) notifier.notify(WATCH_CHANNEL);
    group.hasLeft ||= row.has_left;
    group.isDone = row.position === null;
    group.position = row.position ?? until;
    return { done: row.deleted, more: !group.isDone };
  };
  const restPerWork = group.row.lag_seconds > FAR_BEHIND_SECONDS ? REST_FAR_BEHIND : REST_PER_WORK;
  const deleted = await inBatches(turn, work, { restPerWork, budgetMs: GROUP_BUDGET_MS });
  await database.asWorker(storeRetentionPosition, [
    tenantId,
    seconds,
    definitionIds,
    group.position,
    group.hasLeft,
    LOOK_AGAIN_SECONDS,
  ]);
  return deleted;
}
