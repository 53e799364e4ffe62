import { DomainError } from '../core/errors.ts';
import { isUuid } from '../core/ids.ts';

/** The video system's contract: what every log file of a pipeline job begins with. */
export const PIPELINE_LOG_PREFIX = 'logs/pipeline/';

/** The video system's contract: `logs/pipeline/{job_id}.json`. @throws DomainError `InvalidKey` */
export function pipelineLogKey(jobId: string): string {
  if (isUuid(jobId)) return `${PIPELINE_LOG_PREFIX}${jobId.toLowerCase()}.json`;
  throw new DomainError('InvalidKey', `Job id ${JSON.stringify(jobId.slice(0, 80))} is not a UUID`, {
    field: 'jobId',
    allowed: 'a UUID',
  });
}

/** The job that a log file is about; null for an object that is none. */
export function jobOfPipelineLog(key: string): string | null {
  const id = key.slice(PIPELINE_LOG_PREFIX.length, -'.json'.length);
  return isUuid(id) && pipelineLogKey(id) === key ? id : null;
}
