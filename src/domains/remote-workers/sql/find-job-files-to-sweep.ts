import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { JobFile } from '../../../generated/prisma/client.ts';

/**
 * Up to $1 files whose jobs are gone, and up to $1 uploads that nobody has seen since their URL ended.
 * Crosses tenants. Locks nothing.
 * Indexes: job_files_gone_idx, job_files_held_idx.
 */
export const findJobFilesToSweep = statement(
  'find_job_files_to_sweep',
  `
(select key, true as is_gone from millrace.job_files where job_id is null order by created_at limit $1)
union all
(select key, false from millrace.job_files
 where uploaded_at is null and held_until < clock_timestamp() and job_id is not null order by held_until limit $1)`,
);

export interface JobFileToSweepRow extends Columns<JobFile, 'key'> {
  /** Its job has been deleted. */
  readonly is_gone: boolean;
}
