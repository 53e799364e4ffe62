import type { Job } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/**
 * Renews leases of one worker and says how each stands; one that is missing from the answer is no longer
 * ours. A lease that has ended is renewed too while nobody has claimed the job. Crosses tenants;
 * fenced. Index: jobs_pkey. Locks the rows, skipping those that somebody else holds this moment: waiting for
 * one (an operator's open transaction) would let all other leases of the worker run out. Leaves version and
 * changed_xid alone: a renewal is no news to watchers (the stamp trigger lets it pass).
 */
export const renewLeases = statement(
  'renew_leases',
  `
with input as materialized (
  select * from unnest($1::uuid[], $2::integer[], $3::uuid[], $4::integer[]) as t (id, run_no, token, lease_seconds)
), free as materialized (
  select j.id, i.lease_seconds from input i join millrace.jobs j on j.id = i.id
  where j.run_no = i.run_no and j.lease_token = i.token
  order by j.id
  for no key update of j skip locked
), renewed as (
  update millrace.jobs j
  set lease_expires_at = clock_timestamp() + make_interval(secs => f.lease_seconds)
  from free f
  where j.id = f.id
  returning j.id
)
select j.id, j.cancel_requested_at is not null as cancel_requested,
       exists (select from renewed r where r.id = j.id) as renewed
from input i join millrace.jobs j on j.id = i.id
where j.run_no = i.run_no and j.lease_token = i.token`,
);

export interface RenewedRow extends Columns<Job, 'id'> {
  readonly cancel_requested: boolean;
  /** False: somebody else holds the row this moment; ask again soon. */
  readonly renewed: boolean;
}
