import type { Logger } from '../../src/telemetry/log.ts';
import type { Run } from './run.ts';

/**
 * The process's log with the run's ids on each line. Made when there is something to log: it is a tenth of
 * what a small job costs.
 */
export function logOfRun({ claimed: { job, definitionKey } }: Run, log: Logger): Logger {
  return log.child({
    job_id: job.id,
    tenant_id: job.tenantId,
    definition_key: definitionKey,
    attempt_no: job.runNo,
    ...(job.subject?.type === 'video' && { video_id: job.subject.id }),
  });
}
