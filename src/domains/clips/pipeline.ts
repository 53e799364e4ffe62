import type { Job } from '../../core/job.ts';
import { definePipeline } from '../../core/pipelines/pipeline.ts';
import { stageErrorJson } from '../../core/pipelines/stage-error.ts';
import type { Transaction } from '../../db/database.ts';
import type { ClipChange } from './clip-change.ts';
import { CLIP_STAGES, clipOnFinal, clipOnRequeue } from './clip-pipeline.ts';
import { requeueClip } from './sql/requeue-clip.ts';
import { settleClip } from './sql/settle-clip.ts';

/** The one job that makes a clip. */
export const clipPipeline = definePipeline<Transaction, ClipChange>({
  definitionKeys: CLIP_STAGES,
  subjectType: 'clip',
  readsPayload: false,
  onFinal: clipOnFinal,
  onRequeue: clipOnRequeue,
  apply: async (tx, job, change) => {
    await applyClipChange(tx, job, change);
    return true;
  },
});

async function applyClipChange(tx: Transaction, job: Job, change: ClipChange): Promise<void> {
  const whose = [job.tenantId, change.clipId, job.id];
  if (change.status === 'queued') {
    await tx.query(requeueClip, whose);
  } else if (change.status === 'ready') {
    const { set } = change;
    await tx.query(settleClip, [
      ...whose,
      'ready',
      set.objectKey,
      set.sizeBytes,
      set.sha256,
      set.startMs,
      set.endMs,
      set.widthPx,
      set.heightPx,
      null,
    ]);
  } else {
    const error = stageErrorJson(job, change.error);
    await tx.query(settleClip, [...whose, 'failed', ...new Array(7).fill(null), error]);
  }
}
