import type { Job } from '../../../core/job.ts';
import { definePipeline } from '../../../core/pipelines/pipeline.ts';
import { stageErrorJson } from '../../../core/pipelines/stage-error.ts';
import type { Transaction } from '../../../db/database.ts';
import { updateVideo } from '../sql/update-video.ts';
import { VIDEO_STAGES, videoOnFinal, videoOnRequeue } from './video.ts';
import type { VideoChange } from './video-change.ts';

/** From an upload to a video that can be searched. */
export const videoPipeline = definePipeline<Transaction, VideoChange>({
  definitionKeys: VIDEO_STAGES,
  subjectType: 'video',
  readsPayload: true,
  onFinal: videoOnFinal,
  onRequeue: videoOnRequeue,
  apply: applyVideoChange,
});

/** @returns false when the video is not there */
async function applyVideoChange(tx: Transaction, job: Job, change: VideoChange): Promise<boolean> {
  const { set } = change;
  const { rowCount } = await tx.query(updateVideo, [
    job.tenantId,
    change.videoId,
    change.status,
    set.proxyKey ?? null,
    set.thumbKey ?? null,
    set.durationMs === undefined ? null : Math.round(set.durationMs),
    set.widthPx ?? null,
    set.heightPx ?? null,
    set.fps ?? null,
    set.error == null ? null : stageErrorJson(job, set.error),
  ]);
  return rowCount !== 0;
}
