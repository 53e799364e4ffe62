import { statement } from '../../statement.ts';

/**
 * The invariant of leases: no running job whose lease ended more than $1 seconds ago (two rescue rounds, plus one lease
 * after an outage). Always 0. Crosses tenants; locks nothing. Index: jobs_running_idx.
 */
export const countOverdueLeases = statement(
  'count_overdue_leases',
  `
select count(*)::integer as overdue_count from millrace.jobs
where status = 'running' and lease_expires_at < clock_timestamp() - make_interval(secs => $1)`,
);
