import { statement } from '../../statement.ts';

/**
 * What the rescuer must know before it takes a lease away: how long ago the server started, and how long the longest of
 * the leases that have ended is. A server that was away for a while finds every lease ended; its workers get one lease to
 * renew theirs. Crosses tenants; locks nothing. Index: jobs_lease_idx.
 */
export const findExpiredLeases = statement(
  'find_expired_leases',
  `
select extract(epoch from clock_timestamp() - pg_postmaster_start_time())::float8 as server_up_seconds,
       count(*)::integer as expired_count,
       coalesce(max(d.lease_seconds), 0)::integer as longest_lease_seconds
from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id
where j.status = 'running' and j.lease_expires_at < clock_timestamp()`,
);

export interface ExpiredLeasesRow {
  readonly server_up_seconds: number;
  readonly expired_count: number;
  readonly longest_lease_seconds: number;
}
