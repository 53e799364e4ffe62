import type { Job } from '../job.ts';
import type { StageError } from './pipeline.ts';

/** The JSON that a domain's row keeps of an error of one of its jobs. */
export function stageErrorJson(job: Pick<Job, 'attemptCount'>, error: StageError): string {
  return JSON.stringify({ timestamp: new Date().toISOString(), retryCount: job.attemptCount, ...error });
}
