import type { Job } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import type { LabeledJobRow } from '../../rows.ts';
import { statement } from '../../statement.ts';

/**
 * One job of a tenant with its definition's key, as a program that enqueued it reads it. Locks
 * nothing. Index: jobs_pkey.
 */
export const findJob = statement(
  'find_job',
  `
select j.*, d.key as definition_key
from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id
where j.tenant_id = $1 and j.id = $2`,
);

export interface FoundJobRow extends LabeledJobRow, Columns<Job, 'redacted_at'> {
  readonly definition_key: string;
}
