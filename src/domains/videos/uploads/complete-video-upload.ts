import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import type { Actor } from '../../../core/actor.ts';
import { DomainError } from '../../../core/errors.ts';
import type { EnqueueResult } from '../../../core/queue.ts';
import { reachesVideo } from '../../../core/reach.ts';
import type { Transaction } from '../../../db/database.ts';
import { recordOutcome } from '../../../db/outcome-record.ts';
import { findNewestJobOfSubject } from '../../../db/sql/read/find-newest-job-of-subject.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { notFound } from '../../../jobs/not-found.ts';
import type { ObjectStat } from '../../../storage/object-store.ts';
import { transcode } from '../definitions/transcode.ts';
import { type LockedVideoRow, lockVideo } from '../sql/lock-video.ts';
import { enqueueTranscode } from './enqueue-transcode.ts';
import { finishUpload, requireGoodUpload, uploadedVideoOf } from './finish-upload.ts';
import { requireRoom } from './storage-quota.ts';

export interface CompletedUpload {
  readonly videoId: string;
  /** Null only when the job of an upload completed long ago has been deleted since. */
  readonly jobId: string | null;
  /** False when the job was there already. */
  readonly created: boolean;
}

/**
 * Records that a video's original is there and enqueues `transcode`, both in one transaction. Calling it
 * again changes nothing and gives the same job; an uploaded video that has lost its job before it was
 * processed gets another one.
 * @throws DomainError `NotFound` `Forbidden` `ObjectNotFound` (nothing uploaded yet) `InvalidArgument` (an
 *   empty file)
 * `ObjectTooLarge` `QuotaExceeded`
 */
export const completeVideoUpload = defineUseCase(
  { name: 'completeVideoUpload', role: 'tenant_admin', scope: 'videos:write', toDo: 'complete uploads' },
  async (
    deps: CompleteDeps & Pick<JobsDeps, 'urls' | 'config'>,
    actor: Caller,
    videoId: string,
  ): Promise<CompletedUpload> => {
    if (actor.reach !== undefined) await requireWithinReach(deps, actor, videoId);
    if (deps.urls.maxPutBytes !== undefined) await requireRoomInBucket(deps, actor.tenantId, videoId);
    return completeUpload(deps, actor.tenantId, videoId, actor.name);
  },
);

/**
 * As `completeVideoUpload`, for an upload whose end is known here.
 * @param createdBy the caller behind it; null: the one that made the video
 */
export async function completeUpload(
  deps: CompleteDeps,
  tenantId: string,
  videoId: string,
  createdBy: string | null,
): Promise<CompletedUpload> {
  const enqueued: EnqueueResult[] = [];
  const complete = async (tx: Transaction): Promise<CompletedUpload> => {
    const { rows } = await tx.query<LockedVideoRow>(lockVideo, [tenantId, videoId]);
    const video = rows[0];
    if (video === undefined) throw notFound('video', videoId);
    let result: EnqueueResult;
    if (video.status === 'awaiting_upload') {
      const object = await uploadedObject(deps, video.original_key, videoId);
      result = await finishUpload(
        deps,
        tx,
        { tenantId, video, object, createdBy },
        deps.config.maxUploadBytes,
      );
    } else {
      const jobId = await earlierJob(tx, tenantId, video.id);
      // No stream and no job: nothing would ever move this video on.
      const isStuck = jobId === null && (video.status === 'uploaded' || video.status === 'processing');
      if (!isStuck) return { videoId: video.id, jobId, created: false };
      result = await enqueueTranscode(deps, tx, uploadedVideoOf(tenantId, video, createdBy));
    }
    enqueued.push(result);
    return { videoId: video.id, jobId: result.id, created: result.kind === 'created' };
  };
  const completed = await deps.db.transaction({ role: 'api', tenantId }, async (tx) => {
    enqueued.length = 0;
    const done = await complete(tx);
    await recordOutcome(tx, done);
    return done;
  });
  deps.queue.notifyEnqueued(enqueued);
  return completed;
}

/** Before anything is looked at: what is out of an access token's reach is not there for it. */
async function requireWithinReach(
  { db }: Pick<JobsDeps, 'db'>,
  { tenantId, reach }: Actor,
  videoId: string,
): Promise<void> {
  await db.transaction({ role: 'api', tenantId }, async (tx) => {
    const { rows } = await tx.query<LockedVideoRow>(lockVideo, [tenantId, videoId]);
    const video = rows[0];
    if (video === undefined || !reachesVideo(reach, { id: videoId, ownerId: video.owner_id }))
      throw notFound('video', videoId);
  });
}

/**
 * A bucket takes a file whose size was not declared without asking here: one that does not fit is deleted
 * again.
 */
async function requireRoomInBucket(
  { db, store, config }: Pick<JobsDeps, 'db' | 'store' | 'config'>,
  tenantId: string,
  videoId: string,
): Promise<void> {
  await db.transaction({ role: 'api', tenantId }, async (tx) => {
    const { rows } = await tx.query<LockedVideoRow>(lockVideo, [tenantId, videoId]);
    if (rows[0]?.status !== 'awaiting_upload') return;
    const object = await store.stat(rows[0].original_key);
    if (object === null) return;
    try {
      await requireRoom(tx, config, {
        tenantId,
        uploadOf: videoId,
        sizeBytes: object.sizeBytes,
        field: 'id',
      });
    } catch (error) {
      await store.delete(rows[0].original_key);
      throw error;
    }
  });
}

async function earlierJob(tx: Transaction, tenantId: string, videoId: string): Promise<string | null> {
  const { rows } = await tx.query<{ id: string }>(findNewestJobOfSubject, [
    tenantId,
    'video',
    videoId,
    transcode.key,
  ]);
  return rows[0]?.id ?? null;
}

type CompleteDeps = Pick<JobsDeps, 'db' | 'queue'> & UploadDeps;

interface UploadDeps extends Pick<JobsDeps, 'store'> {
  readonly config: Pick<JobsDeps['config'], 'maxUploadBytes'>;
}

/**
 * What was uploaded. A file that is no good is deleted at once: a bucket takes no second one while the first
 * is there.
 */
async function uploadedObject(
  { store, config }: UploadDeps,
  key: string,
  videoId: string,
): Promise<ObjectStat> {
  const object = await store.stat(key);
  if (object === null) {
    throw new DomainError('ObjectNotFound', `Nothing has been uploaded for video ${videoId} yet.`, {
      field: 'id',
      allowed: 'a video whose original has been put to its upload URL',
    });
  }
  try {
    requireGoodUpload(object, videoId, config.maxUploadBytes);
  } catch (error) {
    await store.delete(key);
    throw error;
  }
  return object;
}
