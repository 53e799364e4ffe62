import { isUuid } from '../../core/ids.ts';
import type { Settlement } from '../../core/outcome.ts';
import type { FinalEffects, FinishedJob } from '../../core/pipelines/pipeline.ts';
import {
  checkStageResult,
  RESULT_AMOUNT,
  RESULT_SIZE_PX,
  RESULT_TEXT,
  type ResultRule,
} from '../../core/pipelines/stage-result.ts';
import type { ClipChange, ClipFacts } from './clip-change.ts';

/**
 * The definitions whose jobs make clips, of videos and of calls; others may be about a clip too, and change
 * nothing of it.
 */
export const CLIP_STAGE = 'clip_generate';
export const CALL_CLIP_STAGE = 'call_clip';
export const CLIP_STAGES: readonly string[] = [CLIP_STAGE, CALL_CLIP_STAGE];

/** What `clip_generate` and `call_clip` return; `onFinal` copies it to the clip's row. */
export type ClipResult = ClipFacts;

const SHA256: ResultRule = {
  allowed: '64 hexadecimal digits in lower case',
  takes: (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
};

/** The rule for clips of sound, which have no size. */
const NO_SIZE: ResultRule = { allowed: 'null', takes: (value) => value === null };

/**
 * What the end of a clip's job changes. A job of another program under this name is left alone where what it
 * calls a clip has no UUID.
 * @throws PermanentError `InvalidResult` for a result that the stage does not give: the job fails with it
 */
export function clipOnFinal(
  job: FinishedJob,
  definitionKey: string,
  settlement: Settlement,
): FinalEffects<ClipChange> {
  const clipId = clipIdOf(job);
  if (clipId === null || !CLIP_STAGES.includes(definitionKey)) return { changes: [], next: [] };
  if (settlement.status === 'succeeded') {
    const set = checkClipResult(definitionKey, settlement.result);
    return { changes: [{ kind: 'clip', clipId, status: 'ready', set }], next: [] };
  }
  const error =
    settlement.status === 'canceled' ? { type: 'Canceled', message: settlement.reason } : settlement.error;
  return { changes: [{ kind: 'clip', clipId, status: 'failed', error }], next: [] };
}

function clipIdOf({ subject }: FinishedJob): string | null {
  return subject !== null && isUuid(subject.id) ? subject.id : null;
}

function checkClipResult(stage: string, result: unknown): ClipResult {
  const sizePx = stage === CALL_CLIP_STAGE ? NO_SIZE : RESULT_SIZE_PX;
  return checkStageResult<ClipResult>(stage, result, {
    objectKey: RESULT_TEXT,
    sizeBytes: RESULT_AMOUNT,
    sha256: SHA256,
    startMs: RESULT_AMOUNT,
    endMs: RESULT_AMOUNT,
    widthPx: sizePx,
    heightPx: sizePx,
  });
}

/** A retried job puts its clip back to work. */
export function clipOnRequeue(job: FinishedJob, definitionKey: string): FinalEffects<ClipChange> {
  const clipId = clipIdOf(job);
  if (clipId === null || !CLIP_STAGES.includes(definitionKey)) return { changes: [], next: [] };
  return { changes: [{ kind: 'clip', clipId, status: 'queued' }], next: [] };
}
