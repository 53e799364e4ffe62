import { statement } from '../../statement.ts';

/**
 * Renews leases of one worker. A lease that has ended is renewed too while nobody has claimed the job. Crosses tenants;
 * fenced. Locks the rows in id order, so that no two bulk statements wait for each other in a circle. Index: jobs_pkey.
 * Leaves version and changed_xid alone: a renewal is no news to watchers (the stamp trigger lets it pass).
 */
export const renewLeases = statement(
  'renew_leases',
  `
with input as (
  select * from unnest($1::uuid[], $2::integer[], $3::uuid[], $4::integer[]) as t (id, run_no, token, lease_seconds)
), locked as materialized (
  select j.id, i.lease_seconds from input i join millrace.jobs j on j.id = i.id
  where j.run_no = i.run_no and j.lease_token = i.token
  order by j.id
  for no key update of j
)
update millrace.jobs j
set lease_expires_at = clock_timestamp() + make_interval(secs => l.lease_seconds)
from locked l
where j.id = l.id
returning j.id, j.cancel_requested_at is not null as cancel_requested`,
);

export interface RenewedRow {
  readonly id: string;
  readonly cancel_requested: boolean;
}
