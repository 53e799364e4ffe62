import type { Job } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/**
 * What a caller that enqueues is answered about the job.
 * $1 tenant_id, $2 job id
 * Locks nothing. Index: jobs_pkey, job_definitions_pkey
 */
export const findEnqueuedJob = statement(
  'find_enqueued_job',
  `
select j.status, j.queued_at, d.key as definition_key
from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id
where j.tenant_id = $1::uuid and j.id = $2::uuid`,
);

export interface EnqueuedJobRow extends Columns<Job, 'status' | 'queued_at'> {
  readonly definition_key: string;
}
