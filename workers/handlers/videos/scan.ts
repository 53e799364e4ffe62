import type { PayloadOf } from '../../../src/core/definition.ts';
import { DomainError } from '../../../src/core/errors.ts';
import { done } from '../../../src/core/outcome.ts';
import type { scanOriginals } from '../../../src/domains/videos/definitions/scan-originals.ts';
import type { KnownVideo } from '../../../src/domains/videos/stores/contract.ts';
import type { ListedObject, RefusedName } from '../../../src/storage/object-store.ts';
import { ORIGINALS_PREFIX, partsOfOriginal } from '../../../src/storage/video-keys.ts';
import type { Handler, HandlerContext } from '../../handler.ts';
import type { ScanOwn } from './own.ts';

/** Files whose rows are looked up at once: what bounds the memory, however many there are. */
const BATCH = 500;
/** Names of each kind that go to the log. */
const MAX_NAMED = 20;

/** What a round found. */
interface ScanResult {
  lookedAt: number;
  registered: number;
  completed: number;
  /** Changed too lately: looked at again in the next round. */
  growing: number;
  /** Belong to no video, and no tenant takes them. */
  unowned: number;
  /** Names that no original has, and empty files. */
  ignored: number;
  /** The first of those, each with the reason. */
  refused: RefusedName[];
}

const NOT_IN_PLACE = `is not ${ORIGINALS_PREFIX}{id}/{file}, with a UUID in lower case`;

interface Candidate {
  readonly videoId: string;
  readonly fileName: string;
  readonly listed: ListedObject;
}

/**
 * The video system's scanner. Completes uploads whose client did not live to say that it was done, and makes
 * videos of files that were placed in the store by other means. Rounds may overlap: each step looks at the
 * row it is about, under its lock.
 * @param quietSeconds a file that has not changed for so long counts as whole
 */
export function createScan(options: {
  readonly quietSeconds: number;
}): Handler<PayloadOf<typeof scanOriginals>, ScanOwn> {
  return async (context) => {
    const result: ScanResult = {
      lookedAt: 0,
      registered: 0,
      completed: 0,
      growing: 0,
      unowned: 0,
      ignored: 0,
      refused: [],
    };
    const refuse = ({ name, reason }: RefusedName): void => {
      result.ignored += 1;
      if (result.refused.length >= MAX_NAMED) return;
      const refused = { name: shown(name), reason };
      result.refused.push(refused);
      context.log.warn('A file below videos/original/ is not taken', refused);
    };
    const onRefused = (refused: RefusedName): void => {
      result.lookedAt += 1;
      refuse(refused);
    };
    let batch: Candidate[] = [];
    const look = async (): Promise<void> => {
      context.signal.throwIfAborted();
      await lookAt(context, batch, options.quietSeconds, result);
      batch = [];
      context.progress({ stage: 'scan', message: `${result.lookedAt} files` });
    };
    for await (const listed of context.tools.storage.list(ORIGINALS_PREFIX, { onRefused })) {
      result.lookedAt += 1;
      const parts = partsOfOriginal(listed.key);
      if (parts === null) refuse({ name: listed.key, reason: NOT_IN_PLACE });
      else if (listed.sizeBytes === 0) refuse({ name: listed.key, reason: 'is empty' });
      else batch.push({ ...parts, listed });
      if (batch.length >= BATCH) await look();
    }
    await look();
    return done({ ...result });
  };
}

/** A foreign name, short and with its control characters visible. */
function shown(name: string): string {
  return JSON.stringify(name.length > 300 ? `${name.slice(0, 300)}…` : name).slice(1, -1);
}

async function lookAt(
  context: HandlerContext<unknown, ScanOwn>,
  batch: readonly Candidate[],
  quietSeconds: number,
  result: ScanResult,
): Promise<void> {
  if (batch.length === 0) return;
  const ids = new Set(batch.map(({ videoId }) => videoId));
  const videos = await context.own.originals.findVideos([...ids]);
  for (const candidate of batch) {
    const video = videos.get(candidate.videoId);
    if (video !== undefined && !(video.awaitsUpload && video.originalKey === candidate.listed.key)) continue;
    context.signal.throwIfAborted();
    try {
      await takeIn(context, candidate, video, quietSeconds, result);
    } catch (error) {
      // One that cannot go on (its tenant is being deleted, its stage is switched off) keeps no other from
      // it.
      if (!(error instanceof DomainError) || error.code === 'StorageUnavailable') throw error;
      context.log.warn('An original was not taken in', { key: candidate.listed.key, reason: error.message });
    }
  }
}

async function takeIn(
  context: HandlerContext<unknown, ScanOwn>,
  { videoId, fileName, listed }: Candidate,
  video: KnownVideo | undefined,
  quietSeconds: number,
  result: ScanResult,
): Promise<void> {
  const { log, own, tools } = context;
  const object = await tools.storage.stat(listed.key);
  if (object === null) return;
  const isQuiet = Date.now() - object.modifiedAt.getTime() >= quietSeconds * 1000;
  if (!isQuiet || object.sizeBytes !== listed.sizeBytes) {
    result.growing += 1;
    return;
  }
  if (video !== undefined) {
    if (!(await own.originals.complete(video, videoId, object))) return;
    result.completed += 1;
    log.info('An upload that nobody completed is in the queue', { video_id: videoId });
    return;
  }
  const outcome = await own.originals.register({ videoId, fileName, object });
  if (outcome === 'registered') {
    result.registered += 1;
    log.info('A new original is in the queue', { video_id: videoId, key: listed.key });
  } else if (outcome === 'unowned') {
    result.unowned += 1;
    if (result.unowned <= MAX_NAMED)
      log.warn('An original belongs to no video; MILLRACE_SCAN_TENANT names no tenant that takes it', {
        key: listed.key,
      });
  }
}
