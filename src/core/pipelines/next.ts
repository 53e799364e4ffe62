import { clipOnFinal, clipOnRequeue } from '../../domains/clips/clip-pipeline.ts';
import { videoOnFinal, videoOnRequeue } from '../../domains/videos/pipeline/video.ts';
import type { Settlement } from '../outcome.ts';
import type { FinalEffects, FinishedJob } from './effects.ts';

/** Types of subjects that have a pipeline. Only their jobs' payloads are read when a job ends without a worker. */
export const PIPELINE_SUBJECTS: readonly string[] = ['video'];

/** What the end of a job that is in no pipeline brings about. */
const NO_EFFECTS: FinalEffects = { changes: [], next: [] };

/**
 * Names the domain updates and next jobs of a job that ends, whoever ends it (its worker, a cancel, a poison count).
 * Pure: the caller applies them in the finishing transaction.
 */
export function onFinal(job: FinishedJob, definitionKey: string, settlement: Settlement): FinalEffects {
  switch (job.subject?.type) {
    case 'video':
      return videoOnFinal(job, definitionKey, settlement);
    case 'clip':
      return clipOnFinal(job, definitionKey, settlement);
    default:
      return NO_EFFECTS;
  }
}

/** Names the domain updates of a job that an operator puts back into the queue. */
export function onRequeue(job: FinishedJob, definitionKey: string): FinalEffects {
  switch (job.subject?.type) {
    case 'video':
      return videoOnRequeue(job, definitionKey);
    case 'clip':
      return clipOnRequeue(job, definitionKey);
    default:
      return NO_EFFECTS;
  }
}
