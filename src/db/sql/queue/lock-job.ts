import type { JobRow } from '../../rows.ts';
import { statement } from '../../statement.ts';

/**
 * One job of a tenant with its definition's key, locked for a change by an operator. Index: jobs_pkey.
 */
export const lockJob = statement(
  'lock_job',
  `
select j.*, d.key as definition_key
from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id
where j.tenant_id = $1 and j.id = $2
for no key update of j`,
);

export interface LockedJobRow extends JobRow {
  readonly definition_key: string;
}
