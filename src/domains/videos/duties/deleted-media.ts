import { type Duty, inBatches, type Turn } from '../../../core/duty.ts';
import { toError } from '../../../core/errors.ts';
import type { Database } from '../../../db/database.ts';
import { callClipKey, callPrefix } from '../../../storage/call-keys.ts';
import type { ObjectStore } from '../../../storage/object-store.ts';
import type { PartialStore } from '../../../storage/partial-store.ts';
import { clipKey, prefixesOfVideo } from '../../../storage/video-keys.ts';
import type { Logger } from '../../../telemetry/log.ts';
import { endMediaSweep } from '../sql/end-media-sweep.ts';
import { type DeletedMediaRow, findDeletedMedia } from '../sql/find-deleted-media.ts';
import { putOffMediaSweep } from '../sql/put-off-media-sweep.ts';

export interface DeletedMediaDeps {
  readonly database: Database;
  readonly storage: Pick<ObjectStore, 'list' | 'delete'>;
  readonly partials: Pick<PartialStore, 'discard'>;
  readonly log: Logger;
  /** How long after a deletion its files are looked for the last time; a day and an hour by default. */
  readonly keptSeconds?: number;
  /** 2,000 by default. */
  readonly everyMs?: number;
}

const BATCH_SIZE = 10;
/** While a run may still write. */
const ACTIVE_SECONDS = 5;
const RETRY_SECONDS = 60;
/** Longer than a signed URL is good and than a frozen worker is of any use. */
const KEPT_SECONDS = 90_000;

/**
 * Removes the files of deleted videos and clips from the store: at once, again as long as a job about one is
 * active, and again a day later. Whatever ends it half-way, the row is there for the next turn, and to
 * remove what is gone already is no error.
 */
export function deletedMediaDuty(deps: DeletedMediaDeps): Duty {
  const { database, log, keptSeconds = KEPT_SECONDS, everyMs = 2_000 } = deps;
  return {
    name: 'deleted media',
    everyMs,
    run: async (turn) => {
      let files = 0;
      const swept = await inBatches(turn, async () => {
        const { rows } = await database.asWorker<DeletedMediaRow>(findDeletedMedia, [BATCH_SIZE]);
        let done = 0;
        for (const row of rows) {
          try {
            files += await removeFiles(deps, row, turn);
          } catch (error) {
            log.warn(
              { [`${row.kind}_id`]: row.id, reason: toError(error).message },
              'deleted media: not removed',
            );
            await database.asWorker(putOffMediaSweep, [row.id, RETRY_SECONDS]);
            continue;
          }
          if (!turn.goOn()) break;
          await database.asWorker(endMediaSweep, [
            row.id,
            row.is_active ? ACTIVE_SECONDS : null,
            keptSeconds,
          ]);
          done += 1;
        }
        return { done, more: rows.length === BATCH_SIZE };
      });
      return { swept, files };
    },
  };
}

/** @returns how many there were; ends early, with some left, when the turn does */
async function removeFiles(
  { storage, partials }: DeletedMediaDeps,
  { id, kind, video_id: videoId, original_key: originalKey, upload_state: uploadState }: DeletedMediaRow,
  turn: Turn,
): Promise<number> {
  if (kind === 'clip') return Number(await storage.delete(clipKey(videoId, id)));
  if (kind === 'call_clip') return Number(await storage.delete(callClipKey(videoId, id)));
  if (originalKey !== null && uploadState !== null) await partials.discard({ key: originalKey }, uploadState);
  let count = 0;
  for (const prefix of kind === 'call' ? [callPrefix(id)] : prefixesOfVideo(id)) {
    // A listing that is changed while it is read could leave some out: what is left is found by the next.
    for (let found = true; found; ) {
      found = false;
      for await (const { key } of storage.list(prefix)) {
        if (!turn.goOn()) return count;
        if (!(await storage.delete(key))) continue;
        found = true;
        count += 1;
      }
    }
  }
  return count;
}
