import { statement } from '../../statement.ts';

/**
 * What the rescuer must know before it takes a lease away: whether any has ended, and how long ago the server started. A
 * server that was away for a while finds every lease ended; its workers get one lease to
 * renew theirs. Crosses tenants; locks nothing. Index: jobs_running_idx.
 */
export const findExpiredLeases = statement(
  'find_expired_leases',
  `
select extract(epoch from clock_timestamp() - pg_postmaster_start_time())::float8 as server_up_seconds,
       count(*)::integer as expired_count
from millrace.jobs where status = 'running' and lease_expires_at < clock_timestamp()`,
);

export interface ExpiredLeasesRow {
  readonly server_up_seconds: number;
  readonly expired_count: number;
}
