import type { Settlement } from '../outcome.ts';
import type { FinalEffects, FinishedJob } from './effects.ts';
import { videoOnFinal, videoOnRequeue } from './video.ts';

/** Types of subjects that have a pipeline. Only their jobs' payloads are read when a job ends without a worker. */
export const PIPELINE_SUBJECTS: readonly string[] = ['video'];

const NOTHING: FinalEffects = { changes: [], next: [] };

/**
 * Names the domain updates and next jobs of a job that ends, whoever ends it (its worker, a cancel, a poison count).
 * Pure: the caller applies them in the finishing transaction.
 */
export function onFinal(job: FinishedJob, settlement: Settlement): FinalEffects {
  return job.subject?.type === 'video' ? videoOnFinal(job, settlement) : NOTHING;
}

/** Names the domain updates of a job that an operator puts back into the queue. */
export function onRequeue(job: FinishedJob): FinalEffects {
  return job.subject?.type === 'video' ? videoOnRequeue(job) : NOTHING;
}
