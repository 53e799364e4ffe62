import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import type { Actor } from '../../../core/actor.ts';
import { reachesVideo } from '../../../core/reach.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { notFound } from '../../../jobs/not-found.ts';
import {
  completeUpload,
  type UploadCompletion,
  type UploadToComplete,
} from '../../../media-files/complete-upload.ts';
import { requireRoomForFile } from '../../../media-files/uploaded-file.ts';
import { transcode } from '../definitions/transcode.ts';
import { type LockedVideoRow, lockVideo } from '../sql/lock-video.ts';
import { enqueueTranscode } from './enqueue-transcode.ts';
import { finishUpload, uploadedVideoOf } from './finish-upload.ts';

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
    // What is put to ourselves was counted when it came.
    const isBucket = deps.urls.maxPutBytes !== undefined;
    const checkRoom: UploadToComplete<CompletedUpload>['checkRoom'] = (tx, file, sizeBytes) =>
      isBucket ? requireRoomForFile(tx, deps, file, sizeBytes) : Promise.resolve();
    return completeOriginal(deps, actor.tenantId, videoId, actor.name, checkRoom);
  },
);

/**
 * As `completeVideoUpload`, for an upload whose end is known here.
 * @param createdBy the caller behind it; null: the one that made the video
 * @param checkRoom where the file may have come without having been counted
 */
export function completeOriginal(
  deps: CompleteDeps,
  tenantId: string,
  videoId: string,
  createdBy: string | null,
  checkRoom?: UploadToComplete<CompletedUpload>['checkRoom'],
): Promise<CompletedUpload> {
  const { maxUploadBytes } = deps.config;
  const completion: UploadCompletion<LockedVideoRow> = {
    kind: 'video',
    file: 'original',
    lock: lockVideo,
    firstStage: transcode.key,
    keyOf: (video) => video.original_key,
    finish: (tx, video, object) =>
      finishUpload(deps, tx, { tenantId, video, object, createdBy }, maxUploadBytes),
    // No stream and no job: nothing would ever move this video on.
    resume: async (tx, video) =>
      video.status === 'uploaded' || video.status === 'processing'
        ? await enqueueTranscode(deps, tx, uploadedVideoOf(tenantId, video, createdBy))
        : null,
  };
  return completeUpload(deps, completion, {
    ...{ tenantId, id: videoId, field: 'id' },
    ...(checkRoom !== undefined && { checkRoom }),
    outcomeOf: (job) => ({ videoId, ...job }),
  });
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

type CompleteDeps = Pick<JobsDeps, 'db' | 'queue' | 'store'> & {
  readonly config: Pick<JobsDeps['config'], 'maxUploadBytes'>;
};
