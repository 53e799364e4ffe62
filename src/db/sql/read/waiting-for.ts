import type { Obstacle } from '../../../core/waiting.ts';
import { statement } from '../../statement.ts';

/**
 * What the queued ones among these jobs of the transaction's tenant wait for. Locks nothing. Indexes:
 * jobs_pkey, jobs_running_idx. A function of the worker role: the API sees neither workers nor other tenants'
 * running jobs.
 */
export const waitingFor = statement(
  'waiting_for',
  `
select w.job_id as "jobId", w.reason, w.scope, w.allowed, w.period_seconds as "periodSeconds", w.until
from millrace.waiting_for($1::uuid[]) w`,
);

export interface WaitingRow extends Obstacle {
  readonly jobId: string;
}
