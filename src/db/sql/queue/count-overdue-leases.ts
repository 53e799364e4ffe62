import { statement } from '../../statement.ts';

/**
 * The invariant of leases: no running job whose lease ended more than $1 seconds ago (two rescue intervals).
 * Leases that are longer than $2 seconds are still left alone after an outage, and so not overdue.
 * `running_count` comes along: the index of running rows is as long as the fleet is wide, whatever waits.
 * Crosses tenants; locks nothing. Index: jobs_running_idx.
 */
export const countOverdueLeases = statement(
  'count_overdue_leases',
  `
select count(*)::integer as running_count,
       count(*) filter (where d.lease_seconds <= $2::float8
         and j.lease_expires_at < clock_timestamp() - make_interval(secs => $1))::integer as overdue_count
from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id
where j.status = 'running'`,
);

export interface OverdueLeasesRow {
  readonly running_count: number;
  readonly overdue_count: number;
}
