import { isUuid } from '../../../core/ids.ts';
import type { Job } from '../../../core/job.ts';
import type { Settlement } from '../../../core/outcome.ts';
import {
  definePipeline,
  type FinalEffects,
  type FinishedJob,
  type StageError,
} from '../../../core/pipelines/pipeline.ts';
import { stageErrorJson } from '../../../core/pipelines/stage-error.ts';
import type { Transaction } from '../../../db/database.ts';
import { fetchOriginal } from '../definitions/fetch-original.ts';
import { moveFetched } from '../sql/move-fetched.ts';

/** What a job that fetches an original ends with, or is put back to, means for its video. */
interface FetchChange {
  readonly kind: 'fetch';
  readonly videoId: string;
  readonly to: 'failed' | 'awaiting_upload';
  readonly error: StageError | null;
}

/**
 * Before a video's pipeline. Its good end is not here: the handler completes the upload as any other is, in
 * the transaction that enqueues the first stage.
 */
export const fetchPipeline = definePipeline<Transaction, FetchChange>({
  definitionKeys: [fetchOriginal.key],
  subjectType: 'video',
  readsPayload: false,
  onFinal: (job, _key, settlement) =>
    settlement.status === 'succeeded' ? NOTHING : effect(job, 'failed', errorOf(settlement)),
  onRequeue: (job) => effect(job, 'awaiting_upload', null),
  apply: applyFetchChange,
});

const NOTHING: FinalEffects<FetchChange> = { changes: [], next: [] };

function effect(
  { subject }: FinishedJob,
  to: FetchChange['to'],
  error: StageError | null,
): FinalEffects<FetchChange> {
  if (subject === null || !isUuid(subject.id)) return NOTHING;
  return { changes: [{ kind: 'fetch', videoId: subject.id, to, error }], next: [] };
}

function errorOf(settlement: Exclude<Settlement, { status: 'succeeded' }>): StageError {
  return settlement.status === 'canceled'
    ? { type: 'Canceled', message: settlement.reason }
    : settlement.error;
}

async function applyFetchChange(tx: Transaction, job: Job, change: FetchChange): Promise<boolean> {
  const { videoId, to, error } = change;
  const from = to === 'failed' ? 'awaiting_upload' : 'failed';
  const shown = error === null ? null : stageErrorJson(job, error);
  const { rowCount } = await tx.query(moveFetched, [job.tenantId, videoId, from, to, shown]);
  return rowCount !== 0;
}
