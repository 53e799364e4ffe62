import type { Job } from '../../../core/job.ts';
import { definePipeline } from '../../../core/pipelines/pipeline.ts';
import { stageErrorJson } from '../../../core/pipelines/stage-error.ts';
import type { Transaction } from '../../../db/database.ts';
import { updateCall } from '../sql/update-call.ts';
import type { CallChange } from './call-change.ts';
import { CALL_STAGES, callOnFinal, callOnRequeue } from './call-stages.ts';

/** From a recording to an analysed transcript. */
export const callPipeline = definePipeline<Transaction, CallChange>({
  definitionKeys: CALL_STAGES,
  subjectType: 'call',
  readsPayload: true,
  onFinal: callOnFinal,
  onRequeue: callOnRequeue,
  apply: applyCallChange,
});

/** @returns false when the call is not there */
async function applyCallChange(tx: Transaction, job: Job, change: CallChange): Promise<boolean> {
  const { set } = change;
  const { rowCount } = await tx.query(updateCall, [
    job.tenantId,
    change.callId,
    change.status,
    set.recordingKey ?? null,
    set.sizeBytes ?? null,
    set.durationMs ?? null,
    set.channelCount ?? null,
    set.loudnessLufs ?? null,
    set.isSilent ?? null,
    set.error == null ? null : stageErrorJson(job, set.error),
  ]);
  return rowCount !== 0;
}
