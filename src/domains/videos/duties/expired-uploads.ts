import type { Duty } from '../../../core/duty.ts';
import type { Database } from '../../../db/database.ts';
import { type Expiry, expire } from '../../../db/expiry.ts';
import type { PartialStore } from '../../../storage/partial-store.ts';
import type { Logger } from '../../../telemetry/log.ts';
import { deleteUploads } from '../sql/delete-uploads.ts';
import { type ExpiredUploadRow, lockExpiredUploads } from '../sql/lock-expired-uploads.ts';

export interface UploadsDeps {
  readonly database: Database;
  readonly partials: Pick<PartialStore, 'discard'>;
  readonly log: Logger;
  /** 60,000 by default. */
  readonly everyMs?: number;
}

const BATCH_SIZE = 10;

/** Forgets resumable uploads whose time is up, and deletes what has come of them. */
export function uploadsDuty({ database, partials, log, everyMs = 60_000 }: UploadsDeps): Duty {
  const expiry: Expiry<ExpiredUploadRow> = {
    batchSize: BATCH_SIZE,
    lock: async (tx, count) => (await tx.query<ExpiredUploadRow>(lockExpiredUploads, [count])).rows,
    remove: async (row) => {
      // The pieces of a complete one have become the original.
      if (row.completed_at === null) await partials.discard({ key: row.original_key }, row.store_state);
    },
    onFailure: ({ id }, reason) =>
      log.warn({ upload_id: id, reason }, 'uploads: the pieces of one could not be deleted'),
    forget: async (tx, rows) => {
      await tx.query(deleteUploads, [rows.map(({ id }) => id)]);
    },
  };
  return {
    name: 'uploads',
    everyMs,
    run: async (turn) => ({ uploads: await expire(turn, database, expiry) }),
  };
}
