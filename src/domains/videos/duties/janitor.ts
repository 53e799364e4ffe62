import type { Duty, Turn } from '../../../core/duty.ts';
import { toError } from '../../../core/errors.ts';
import { isUuid } from '../../../core/ids.ts';
import type { Database } from '../../../db/database.ts';
import type { ListedObject, ObjectStore } from '../../../storage/object-store.ts';
import type { Logger } from '../../../telemetry/log.ts';
import { findUnnamedObjects, type UnnamedObjectRow } from '../sql/find-unnamed-objects.ts';
import { type LockedForJanitorRow, lockVideoForJanitor } from '../sql/lock-video-for-janitor.ts';

export interface JanitorDeps {
  readonly database: Database;
  readonly storage: Pick<ObjectStore, 'list' | 'delete'>;
  readonly log: Logger;
  /** How old a file must be. */
  readonly graceMs: number;
  /**
   * From the end of one walk through the store to the beginning of the next; a quarter of the grace by
   * default.
   */
  readonly walkEveryMs?: number;
  /** 60,000 by default. */
  readonly everyMs?: number;
}

/** Where the stages of a video put what they make; originals are elsewhere, and never looked at. */
const PREFIXES = ['videos/proxy/', 'thumbs/', 'frames/', 'videos/clips/'] as const;
/** Files that one statement asks about. */
const LOOK_BATCH = 500;
/** Files that are deleted while their video is held: so few that a request for it hardly waits. */
const DELETE_BATCH = 20;
/** Time of one turn. Other duties run then, and the walk continues in the next turn. */
const TURN_MS = 5_000;

interface Batch {
  readonly videoId: string;
  readonly objects: readonly ListedObject[];
}

/**
 * Deletes what killed and overtaken runs have left in the store: files of a video that no artifact names,
 * that are older than the grace, while no job about the video is active. It walks through the store's
 * listing, a batch of files at a time, so that nothing needs to be remembered of runs that could not say
 * anything any more.
 *
 * A file is deleted while its video is held, after a second look that sees all that was committed before: a
 * run writes its artifacts in the transaction that ends its job, and a new job cannot be put into the queue
 * meanwhile. Videos that the database does not know are left alone: a bucket may belong to several
 * installations.
 */
export function janitorDuty(deps: JanitorDeps): Duty {
  const { graceMs, walkEveryMs = graceMs / 4, everyMs = 60_000 } = deps;
  let walk: AsyncGenerator<Batch, void> | null = null;
  let nextWalkMs = Number.NEGATIVE_INFINITY;
  return {
    name: 'janitor',
    everyMs,
    run: async (turn) => {
      const counts = { files: 0, bytes: 0 };
      const startMs = performance.now();
      if (walk === null && startMs < nextWalkMs) return counts;
      walk ??= oldFiles(deps);
      try {
        while (turn.goOn() && performance.now() - startMs < TURN_MS) {
          const { value: batch, done } = await walk.next();
          if (done === true) {
            walk = null;
            nextWalkMs = performance.now() + walkEveryMs;
            break;
          }
          await clean(deps, batch, turn, counts);
        }
      } catch (error) {
        walk = null;
        throw error;
      }
      return counts;
    },
  };
}

/** Files that are old enough, those of one video and kind together, at most a batch at a time. */
async function* oldFiles({ storage, graceMs }: JanitorDeps): AsyncGenerator<Batch, void> {
  for (const prefix of PREFIXES) {
    let videoId = '';
    let objects: ListedObject[] = [];
    for await (const object of storage.list(prefix)) {
      const rest = object.key.slice(prefix.length);
      const id = rest.slice(0, rest.indexOf('/'));
      if (!isUuid(id) || Date.now() - object.modifiedAt.getTime() < graceMs) continue;
      if (objects.length > 0 && (id !== videoId || objects.length === LOOK_BATCH)) {
        yield { videoId, objects };
        objects = [];
      }
      videoId = id;
      objects.push(object);
    }
    if (objects.length > 0) yield { videoId, objects };
  }
}

async function clean(
  deps: JanitorDeps,
  { videoId, objects }: Batch,
  turn: Turn,
  counts: { files: number; bytes: number },
): Promise<void> {
  const { database } = deps;
  const keys = objects.map(({ key }) => key);
  const { rows } = await database.asWorker<UnnamedObjectRow>(findUnnamedObjects, [videoId, keys]);
  const suspects = new Set(rows.map(({ key }) => key));
  const left = objects.filter(({ key }) => suspects.has(key));
  for (let first = 0; first < left.length && turn.goOn(); first += DELETE_BATCH)
    await deleteHeld(deps, videoId, left.slice(first, first + DELETE_BATCH), counts);
}

async function deleteHeld(
  { database, storage, log }: JanitorDeps,
  videoId: string,
  objects: readonly ListedObject[],
  counts: { files: number; bytes: number },
): Promise<void> {
  await database.transaction({ role: 'worker' }, async (tx) => {
    const keys = objects.map(({ key }) => key);
    const held = await tx.query<LockedForJanitorRow>(lockVideoForJanitor, [videoId, clipIdsOf(keys)]);
    if (held.rows.length === 0) return;
    const { rows } = await tx.query<UnnamedObjectRow>(findUnnamedObjects, [videoId, keys]);
    const unnamed = new Set(rows.map(({ key }) => key));
    for (const { key, sizeBytes } of objects) {
      if (!unnamed.has(key)) continue;
      try {
        if (!(await storage.delete(key))) continue;
        counts.files += 1;
        counts.bytes += sizeBytes;
        log.debug({ video_id: videoId, key, size_bytes: sizeBytes }, 'janitor: a file that nothing names');
      } catch (error) {
        log.warn({ key, reason: toError(error).message }, 'janitor: a file could not be deleted');
      }
    }
  });
}

function clipIdsOf(keys: readonly string[]): readonly string[] {
  return keys.flatMap((key) => {
    const id = /^videos\/clips\/[^/]+\/([^/]+)\.mp4$/.exec(key)?.[1];
    return id !== undefined && isUuid(id) ? [id] : [];
  });
}
