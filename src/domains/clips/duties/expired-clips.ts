import type { Duty } from '../../../core/duty.ts';
import { WATCH_CHANNEL } from '../../../db/channels.ts';
import type { Database } from '../../../db/database.ts';
import { type Expiry, expire } from '../../../db/expiry.ts';
import type { Notifier } from '../../../db/notifier.ts';
import type { ObjectStore } from '../../../storage/object-store.ts';
import type { Logger } from '../../../telemetry/log.ts';
import { clipFileKey } from '../clip-file-key.ts';
import { expireClips } from '../sql/expire-clips.ts';
import { type ExpiredClipRow, lockExpiredClips } from '../sql/lock-expired-clips.ts';

export interface ClipsDeps {
  readonly database: Database;
  readonly notifier: Pick<Notifier, 'notify'>;
  readonly storage: Pick<ObjectStore, 'delete'>;
  readonly log: Logger;
  /** 60,000 by default. */
  readonly everyMs?: number;
}

/** Held while their files are deleted: so few that a caller that asks for one of them again hardly waits. */
const BATCH_SIZE = 10;

/**
 * Takes away clips whose time is up. Failed ones too: a run may have put its file before it failed to say so.
 */
export function clipsDuty({ database, notifier, storage, log, everyMs = 60_000 }: ClipsDeps): Duty {
  const expiry: Expiry<ExpiredClipRow> = {
    batchSize: BATCH_SIZE,
    lock: async (tx, count) => (await tx.query<ExpiredClipRow>(lockExpiredClips, [count])).rows,
    remove: async (row) => void (await storage.delete(keyOf(row))),
    onFailure: ({ id }, reason) => log.warn({ clip_id: id, reason }, 'clips: a file could not be deleted'),
    forget: async (tx, rows) => {
      await tx.query(expireClips, [
        rows.map(({ id }) => id),
        rows.map(keyOf),
        rows.map(({ tenant_id }) => tenant_id),
      ]);
    },
    onForgotten: () => notifier.notify(WATCH_CHANNEL),
  };
  return {
    name: 'clips',
    everyMs,
    run: async (turn) => ({ clips: await expire(turn, database, expiry) }),
  };
}

function keyOf({ video_id: videoId, call_id: callId, id }: ExpiredClipRow): string {
  return clipFileKey(id, { videoId, callId });
}
