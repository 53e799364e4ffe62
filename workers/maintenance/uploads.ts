import { toError } from '../../src/core/errors.ts';
import type { Database } from '../../src/db/database.ts';
import { deleteUploads } from '../../src/db/sql/uploads/delete-uploads.ts';
import { type ExpiredUploadRow, lockExpiredUploads } from '../../src/db/sql/uploads/lock-expired-uploads.ts';
import type { PartialStore } from '../../src/storage/partial-store.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import { type Duty, inBatches } from './duty.ts';

export interface UploadsDeps {
  readonly database: Database;
  readonly partials: Pick<PartialStore, 'discard'>;
  readonly log: Logger;
  /** 60,000 by default. */
  readonly everyMs?: number;
}

const BATCH = 10;

/**
 * Forgets resumable uploads whose time is up: first what has come of them, then the row, so that a crash between them leaves a row
 * that is found again.
 */
export function uploadsDuty({ database, partials, log, everyMs = 60_000 }: UploadsDeps): Duty {
  return {
    name: 'uploads',
    everyMs,
    run: async (turn) => ({
      uploads: await inBatches(turn, async () => {
        const { done, found } = await database.transaction({ role: 'worker' }, async (tx) => {
          const { rows } = await tx.query<ExpiredUploadRow>(lockExpiredUploads, [BATCH]);
          const gone: string[] = [];
          for (const row of rows) if (await discard(row, partials, log)) gone.push(row.id);
          if (gone.length > 0) await tx.query(deleteUploads, [gone]);
          return { done: gone.length, found: rows.length };
        });
        // Those that could not be deleted would be found again at once: they are left to the next turn.
        return { done, more: found === BATCH && done === BATCH };
      }),
    }),
  };
}

async function discard(
  row: ExpiredUploadRow,
  partials: UploadsDeps['partials'],
  log: Logger,
): Promise<boolean> {
  // Its pieces have become the original.
  if (row.completed_at !== null) return true;
  try {
    await partials.discard({ key: row.original_key }, row.store_state);
    return true;
  } catch (error) {
    log.warn(
      { upload_id: row.id, reason: toError(error).message },
      'uploads: the pieces of one could not be deleted',
    );
    return false;
  }
}
