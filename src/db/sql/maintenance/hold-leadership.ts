import { statement } from '../../statement.ts';

/**
 * Takes or renews the leadership for process $1 and $2 seconds, if it is free or its own. $3: since its last
 * renewal this process has seen no break, so the database was reachable in between; such times are kept for
 * an hour. `term` is null when somebody else has it; `remaining_ms` says for how long yet. Of two that come
 * at once the second waits for the row and then finds it taken. Locks the one row when it takes it; a process
 * that only waits for its turn writes nothing. Index: the table has one row.
 */
export const holdLeadership = statement(
  'hold_leadership',
  `
with held as (
  update millrace.maintenance_leader l
  set holder = $1,
      term = l.term + case when l.holder = $1 and l.expires_at > clock_timestamp() then 0 else 1 end,
      expires_at = clock_timestamp() + make_interval(secs => $2::float8),
      renewed_at = clock_timestamp(),
      reachable = case when l.holder = $1 and $3::boolean
                       then (l.reachable + tstzmultirange(tstzrange(l.renewed_at, clock_timestamp())))
                            * tstzmultirange(tstzrange(clock_timestamp() - interval '1 hour', null))
                       else l.reachable end
  where l.holder = $1 or l.expires_at <= clock_timestamp()
  returning l.term
)
select (select h.term::float8 from held h) as term,
       greatest(0, extract(epoch from l.expires_at - clock_timestamp()) * 1000)::float8 as remaining_ms,
       extract(epoch from clock_timestamp() - pg_postmaster_start_time())::float8 as server_up_seconds
from millrace.maintenance_leader l`,
);

export interface LeadershipRow {
  readonly term: number | null;
  /** How long the process that led before this statement would still lead; 0 when none did. */
  readonly remaining_ms: number;
  readonly server_up_seconds: number;
}
