import type { Job } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/** Who created a job of a tenant. Locks nothing. Index: jobs_pkey. */
export const findJobCreator = statement(
  'find_job_creator',
  `select created_by from millrace.jobs where tenant_id = $1 and id = $2`,
);

export type JobCreatorRow = Columns<Job, 'created_by'>;
