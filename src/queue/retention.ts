import type { Deletion, DueJobs } from '../core/maintenance-queue.ts';
import type { Database } from '../db/database.ts';
import { type DeletedJobsRow, deleteFinishedJobs } from '../db/sql/queue/delete-finished-jobs.ts';
import { type DueRetentionRow, findDueRetention } from '../db/sql/queue/find-due-retention.ts';
import { storeRetentionPosition } from '../db/sql/queue/store-retention-position.ts';

/**
 * Rows that one statement looks at: those of neighbours that are kept longer are stepped over, some
 * milliseconds at a time.
 */
const LOOKED_PER_DELETED = 4;
/** Jobs that were due but held or depended upon are met again after so long. */
const LOOK_AGAIN_SECONDS = 6 * 3_600;

/** Where this engine stands among the jobs of one group: by the time at which they finished. */
interface PositionedJobs extends DueJobs {
  readonly row: DueRetentionRow;
  readonly position: string;
  /** One that was due could not go. */
  readonly hasLeft: boolean;
}

/**
 * Deletes finished jobs when their time is up, and stores how far they were looked through, so that no leader
 * reads them again.
 */
export class Retention {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async due(defaultSeconds: number | null): Promise<readonly DueJobs[]> {
    const { rows } = await this.#db.asWorker<DueRetentionRow>(findDueRetention, [defaultSeconds]);
    return rows.map(
      (row): PositionedJobs => ({
        tenantId: row.tenant_id,
        lagSeconds: row.lag_seconds,
        row,
        position: row.position,
        hasLeft: false,
      }),
    );
  }

  /** @param due of `due`, or the rest of an earlier deletion */
  async delete(due: DueJobs, limit: number): Promise<Deletion> {
    const group = due as PositionedJobs;
    const { tenant_id, until, definition_ids } = group.row;
    const values = [tenant_id, group.position, until, definition_ids, LOOKED_PER_DELETED * limit, limit];
    const { rows } = await this.#db.asWorker<DeletedJobsRow>(deleteFinishedJobs, values);
    const row = rows[0] ?? { deleted: 0, has_left: false, position: null };
    const rest: PositionedJobs = {
      ...group,
      position: row.position ?? until,
      hasLeft: group.hasLeft || row.has_left,
    };
    return { deletedCount: row.deleted, rest, isDone: row.position === null };
  }

  async remember(due: DueJobs): Promise<void> {
    const { row, position, hasLeft } = due as PositionedJobs;
    await this.#db.asWorker(storeRetentionPosition, [
      row.tenant_id,
      row.seconds,
      row.definition_ids,
      position,
      hasLeft,
      LOOK_AGAIN_SECONDS,
    ]);
  }
}
