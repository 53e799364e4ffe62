import { DomainError } from '../core/errors.ts';
import type { Job } from '../core/job.ts';
import type {
  ClipChange,
  DomainChange,
  FinalEffects,
  NextJob,
  StageError,
  VideoChange,
} from '../core/pipelines/effects.ts';
import type { EnqueueInput, EnqueueResult } from '../core/queue.ts';
import type { Transaction } from '../db/database.ts';
import { requeueClip } from '../domains/clips/sql/requeue-clip.ts';
import { settleClip } from '../domains/clips/sql/settle-clip.ts';
import { updateVideo } from '../domains/videos/sql/update-video.ts';
import { enqueueIn } from './enqueue.ts';

/**
 * Applies what a pipeline named, inside the finishing transaction. A next stage that is active already counts as enqueued.
 * @returns what became of the next jobs
 */
export async function applyEffects(
  tx: Transaction,
  job: Job,
  effects: FinalEffects,
): Promise<readonly EnqueueResult[]> {
  let isDeleted = false;
  for (const change of effects.changes) isDeleted = !(await applyChange(tx, job, change)) || isDeleted;
  // Its video was deleted: nothing comes after this stage.
  if (isDeleted) return [];
  try {
    return await enqueueNext(tx, job, effects.next);
  } catch (error) {
    if (effects.ifRefused === undefined || !isSwitchedOff(error)) throw error;
    // The stage itself has ended well, whatever cannot come after it.
    for (const change of effects.ifRefused({ type: error.code, message: error.message }))
      await applyChange(tx, job, change);
    return [];
  }
}

/** Refused before any row was written, so that the transaction goes on. */
function isSwitchedOff(error: unknown): error is DomainError {
  return (
    error instanceof DomainError &&
    (error.code === 'UnknownDefinition' || error.code === 'DefinitionInactive')
  );
}

async function enqueueNext(
  tx: Transaction,
  job: Job,
  next: readonly NextJob[],
): Promise<readonly EnqueueResult[]> {
  const inputOf = ({ definitionKey, payload, dedupeKey }: NextJob): EnqueueInput => ({
    definitionKey,
    payload,
    dedupeKey,
    source: 'system',
    sourceRef: job.id,
    priority: job.priority,
    correlationId: job.correlationId,
    subject: job.subject,
    createdBy: job.createdBy,
  });
  // A job that ends while its tenant is being deleted still ends as it would.
  const put = (inputs: readonly EnqueueInput[]) =>
    enqueueIn(tx, job.tenantId, inputs, { evenDeletedTenants: true });
  const first = await put(next.filter(({ after }) => after === undefined).map(inputOf));
  const dependsOn = first.map(({ id }) => ({ jobId: id }));
  const last = next
    .filter(({ after }) => after !== undefined)
    .map((each) => ({ ...inputOf(each), dependsOn }));
  return [...first, ...(await put(last))];
}

/** @returns false when the video is not there */
async function applyChange(tx: Transaction, job: Job, change: DomainChange): Promise<boolean> {
  if (change.kind === 'video') return await applyVideoChange(tx, job, change);
  await applyClipChange(tx, job, change);
  return true;
}

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
    set.error == null ? null : errorText(job, set.error),
  ]);
  return rowCount !== 0;
}

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
    const error = errorText(job, change.error);
    await tx.query(settleClip, [...whose, 'failed', ...new Array(7).fill(null), error]);
  }
}

/** The JSON that is stored of an error. */
function errorText(job: Job, error: StageError): string {
  return JSON.stringify({ timestamp: new Date().toISOString(), retryCount: job.attemptCount, ...error });
}
