import type { Settlement } from '../../core/outcome.ts';
import type { FinalEffects, FinishedJob } from '../../core/pipelines/pipeline.ts';
import type { ClipChange, ClipFacts } from './clip-change.ts';

/** The definition whose jobs make clips; others may be about a clip too, and change nothing of it. */
export const CLIP_STAGE = 'clip_generate';

/** What `clip_generate` returns; `onFinal` copies it to the clip's row. */
export type ClipResult = ClipFacts;

/** What the end of a clip's job changes. */
export function clipOnFinal(
  job: FinishedJob,
  definitionKey: string,
  settlement: Settlement,
): FinalEffects<ClipChange> {
  const clipId = job.subject?.id;
  if (clipId === undefined || definitionKey !== CLIP_STAGE) return { changes: [], next: [] };
  if (settlement.status === 'succeeded') {
    const set = settlement.result as ClipResult;
    return { changes: [{ kind: 'clip', clipId, status: 'ready', set }], next: [] };
  }
  const error =
    settlement.status === 'canceled' ? { type: 'Canceled', message: settlement.reason } : settlement.error;
  return { changes: [{ kind: 'clip', clipId, status: 'failed', error }], next: [] };
}

/** A retried job puts its clip back to work. */
export function clipOnRequeue(job: FinishedJob, definitionKey: string): FinalEffects<ClipChange> {
  const clipId = job.subject?.id;
  if (clipId === undefined || definitionKey !== CLIP_STAGE) return { changes: [], next: [] };
  return { changes: [{ kind: 'clip', clipId, status: 'queued' }], next: [] };
}
