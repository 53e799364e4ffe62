import { statement } from '../../statement.ts';

/**
 * Jobs of tenant $1 by definition and status: those queued and running, of each kind at most $3, and those
 * that ended in the last N seconds, for each window in $2 the newest $4 at most. `since_seconds` is null for
 * what does not depend on a window. The row of status `clock` has the time of the counting. A window with $4
 * or more has a row of status `cut`: all that ended from its time on are counted, and no other. `earliest`:
 * that time; of queued jobs, since when the oldest of those that may run now could have run. Locks
 * nothing. Index: jobs_ready_idx (index only), jobs_pending_idx or jobs_waiting_idx, jobs_running_idx (index
 * only), jobs_finished_idx; a history, however long, is not read beyond its window.
 */
export const countJobs = statement(
  'count_jobs',
  `
select c.since_seconds, d.key as definition_key, c.status, c.job_count, c.earliest
from (
  ${active('queued', 'j.pending_dependencies = 0', 'j.scheduled_for')}
  union all
  ${active('queued', 'j.pending_dependencies > 0')}
  union all
  ${active('running', 'true')}
  union all
  (select s.seconds, f.definition_id, f.status, f.job_count, f.earliest
   from unnest($2::integer[]) as s (seconds)
   cross join lateral (
     with newest as materialized (
       select j.definition_id, j.status, j.finished_at from millrace.jobs j
       where j.tenant_id = $1 and j.finished_at >= now() - make_interval(secs => s.seconds)
       order by j.finished_at desc limit $4::bigint
     ), cut as materialized (
       -- Cut off, it may hold only some of those that ended in its first millisecond: none of them is
       -- counted.
       select case when count(*) = $4::bigint then date_trunc('milliseconds', min(n.finished_at)) + interval '1 millisecond' end as at
       from newest n
     )
     select n.definition_id, n.status, count(*)::integer as job_count, null::timestamptz as earliest
     from newest n cross join cut c
     where c.at is null or n.finished_at >= c.at
     group by n.definition_id, n.status
     union all
     select null, 'cut', 0, c.at from cut c where c.at is not null) f)
) c left join millrace.job_definitions d on d.id = c.definition_id
union all
select null, null, 'clock', 0, now()`,
);

/** @param since when one of them could have run; a column of the index, or none */
function active(status: string, which: string, since = 'null::timestamptz'): string {
  return `(select null::integer as since_seconds, a.definition_id, '${status}' as status, count(*)::integer as job_count,
          min(a.since) filter (where a.since <= now()) as earliest
   from (select j.definition_id, ${since} as since from millrace.jobs j
         where j.tenant_id = $1 and j.status = '${status}' and ${which} limit $3::bigint) a
   group by a.definition_id)`;
}

export interface JobCountRow {
  readonly since_seconds: number | null;
  readonly definition_key: string | null;
  readonly status: string;
  readonly job_count: number;
  readonly earliest: Date | null;
}
