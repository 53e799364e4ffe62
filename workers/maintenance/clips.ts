import { toError } from '../../src/core/errors.ts';
import type { Bell } from '../../src/db/bell.ts';
import { WATCH_CHANNEL } from '../../src/db/channels.ts';
import type { Database } from '../../src/db/database.ts';
import { expireClips } from '../../src/db/sql/maintenance/expire-clips.ts';
import { type ExpiredClipRow, lockExpiredClips } from '../../src/db/sql/maintenance/lock-expired-clips.ts';
import type { ObjectStore } from '../../src/storage/object-store.ts';
import { clipKey } from '../../src/storage/video-keys.ts';
import type { Logger } from '../../src/telemetry/log.ts';
import { type Duty, inBatches } from './duty.ts';

export interface ClipsDeps {
  readonly database: Database;
  readonly bell: Pick<Bell, 'ring'>;
  readonly storage: Pick<ObjectStore, 'delete'>;
  readonly log: Logger;
  /** 60,000 by default. */
  readonly everyMs?: number;
}

/** Held while their files are deleted: so few that whoever asks for one of them anew hardly waits. */
const BATCH = 10;

/**
 * Takes away clips whose time is up: the file first, then the row's state, so that a crash between them leaves a row that is found
 * again and never a file that nobody knows. Failed ones too: a run may have put its file before it failed to say so.
 */
export function clipsDuty({ database, bell, storage, log, everyMs = 60_000 }: ClipsDeps): Duty {
  return {
    name: 'clips',
    everyMs,
    run: async (turn) => ({
      clips: await inBatches(turn, async () => {
        const { done, found } = await database.transaction({ role: 'worker' }, async (tx) => {
          const { rows } = await tx.query<ExpiredClipRow>(lockExpiredClips, [BATCH]);
          const gone = await deleteFiles(rows, storage, log);
          if (gone.length > 0)
            await tx.query(expireClips, [
              gone.map(({ id }) => id),
              gone.map(keyOf),
              gone.map(({ tenant_id }) => tenant_id),
            ]);
          return { done: gone.length, found: rows.length };
        });
        if (done > 0) bell.ring(WATCH_CHANNEL);
        // Those whose files could not be deleted would be found again at once: they are left to the next turn.
        return { done, more: found === BATCH && done === BATCH };
      }),
    }),
  };
}

async function deleteFiles(
  rows: readonly ExpiredClipRow[],
  storage: ClipsDeps['storage'],
  log: Logger,
): Promise<ExpiredClipRow[]> {
  const gone: ExpiredClipRow[] = [];
  for (const row of rows) {
    try {
      await storage.delete(keyOf(row));
      gone.push(row);
    } catch (error) {
      log.warn({ clip_id: row.id, reason: toError(error).message }, 'clips: a file could not be deleted');
    }
  }
  return gone;
}

function keyOf({ video_id, id }: ExpiredClipRow): string {
  return clipKey(video_id, id);
}
