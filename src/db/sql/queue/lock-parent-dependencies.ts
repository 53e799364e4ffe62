import type { JobStatus } from '../../../core/job.ts';
import type { Job } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/**
 * The jobs of one tenant that new ones are to wait for, with how they stand once they are held.
 * Locks them FOR SHARE in id order until the transaction ends: none can end before the new jobs and their
 * edges are there to be released. A row that had to be waited for comes in its newest version, so what is
 * read here is what is held.
 * Index: jobs_pkey.
 */
export const lockParentDependencies = statement(
  'lock_parent_dependencies',
  `
select id, status, reason from millrace.jobs
where tenant_id = $1 and id = any ($2::uuid[])
order by id
for share`,
);

export interface ParentRow extends Columns<Job, 'id' | 'status' | 'reason'> {
  readonly status: JobStatus;
}
