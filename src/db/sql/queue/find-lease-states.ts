import type { Job } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/**
 * Which leases still hold, and whether a cancel was requested. Crosses tenants; locks nothing. Index:
 * jobs_pkey.
 */
export const findLeaseStates = statement(
  'find_lease_states',
  `
select j.id, j.cancel_requested_at is not null as cancel_requested,
       case when j.cancel_requested_at is not null then j.reason end as cancel_reason
from unnest($1::uuid[], $2::integer[], $3::uuid[]) as i (id, run_no, token)
join millrace.jobs j on j.id = i.id
where j.run_no = i.run_no and j.lease_token = i.token`,
);

export interface LeaseStateRow extends Columns<Job, 'id'> {
  readonly cancel_requested: boolean;
  /** The reason given by the caller that asked. */
  readonly cancel_reason: string | null;
}
