import { statement } from '../../statement.ts';

/**
 * How many connections the server takes from a login that is no superuser, how many are open, how many of
 * those are ours, and how many worker processes live. Locks nothing. Index: none; views of the server, and
 * job_workers has a row a process.
 */
export const readConnectionRoom = statement(
  'read_connection_room',
  `
select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
         - current_setting('reserved_connections')::int as allowed,
       (select count(*)::int from pg_stat_activity a where a.backend_type = 'client backend') as open,
       (select count(*)::int from pg_stat_activity a where a.backend_type = 'client backend' and a.application_name like 'millrace%') as ours,
       (select count(*)::int from millrace.job_workers w where w.last_seen_at > clock_timestamp() - interval '30 seconds') as workers`,
);

export interface ConnectionRoomRow {
  readonly allowed: number;
  readonly open: number;
  readonly ours: number;
  readonly workers: number;
}
