import { type Duty, inBatches, type Turn } from '../../src/core/duty.ts';
import { WATCH_CHANNEL } from '../../src/db/channels.ts';
import type { Database } from '../../src/db/database.ts';
import type { Notifier } from '../../src/db/notifier.ts';
import {
  type DeletedJobsRow,
  deleteFinishedJobs,
} from '../../src/db/sql/maintenance/delete-finished-jobs.ts';
import { type DueRetentionRow, findDueRetention } from '../../src/db/sql/maintenance/find-due-retention.ts';

export interface RetentionDeps {
  readonly database: Database;
  readonly notifier: Pick<Notifier, 'notify'>;
  /** For definitions and tenants that say nothing themselves; null keeps their jobs for ever. */
  readonly defaultSeconds: number | null;
  /** 60,000 by default. */
  readonly everyMs?: number;
  /** Jobs that one statement deletes at most; 500 by default. */
  readonly batch?: number;
}

/** Rows that one statement looks at: those of neighbours that are kept longer are stepped over, some milliseconds at a time. */
const LOOKED_PER_DELETED = 4;
/** Jobs that were due but held or depended upon are met again after so long. */
const FORGET_AFTER_MS = 6 * 3_600_000;

/**
 * Deletes finished jobs when their time is up: as the definition says, else the tenant, else the configuration. What a tenant's
 * jobs of one retention were looked through for is remembered, so that jobs that are kept longer are not read each minute.
 */
export function retentionDuty(deps: RetentionDeps): Duty {
  const positions = new Map<string, string>();
  let forgottenMs = performance.now();
  return {
    name: 'retention',
    everyMs: deps.everyMs ?? 60_000,
    run: async (turn) => {
      if (performance.now() - forgottenMs > FORGET_AFTER_MS) {
        positions.clear();
        forgottenMs = performance.now();
      }
      const { rows } = await deps.database.asWorker<DueRetentionRow>(findDueRetention, [
        deps.defaultSeconds,
        [...positions.keys()],
        [...positions.values()],
      ]);
      let jobs = 0;
      for (const due of rows) jobs += await deleteDue(deps, due, positions, turn);
      return { jobs };
    },
  };
}

async function deleteDue(
  { database, notifier, batch = 500 }: RetentionDeps,
  due: DueRetentionRow,
  positions: Map<string, string>,
  turn: Turn,
): Promise<number> {
  let position = due.position;
  return inBatches(turn, async () => {
    const { rows } = await database.asWorker<DeletedJobsRow>(deleteFinishedJobs, [
      due.tenant_id,
      position,
      due.until,
      due.definition_ids,
      LOOKED_PER_DELETED * batch,
      batch,
    ]);
    const row = rows[0] ?? { deleted: 0, position: null };
    if (row.deleted > 0) notifier.notify(WATCH_CHANNEL);
    position = row.position ?? due.until;
    positions.set(due.key, position);
    return { done: row.deleted, more: row.position !== null };
  });
}
