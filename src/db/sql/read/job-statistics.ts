import { statement } from '../../statement.ts';

/**
 * How the newest jobs went that ended within the last $1 seconds in the tenant of the transaction, $2 of them
 * at most: times by definition, numbers by time in $3 equal parts of the window (0: the last one), and errors
 * by their definition, type and message without its numbers, the $4 most frequent. One row. `since`: all that
 * ended from this time on are in it. Locks nothing. Index: jobs_finished_idx; a history, however long, is not
 * read beyond its window, nor beyond $2 jobs.
 */
export const jobStatistics = statement(
  'job_statistics',
  `
with newest as materialized (
  select j.id, j.finished_at, d.key,
         case when j.status in ('failed', 'dead_letter') then coalesce(j.last_error, '{}') end as error,
         extract(epoch from greatest(j.started_at - greatest(j.scheduled_for, j.queued_at), interval '0')) * 1000 as wait_ms,
         extract(epoch from greatest(j.finished_at - j.started_at, interval '0')) * 1000 as run_ms
  from (select j.id, j.definition_id, j.status, j.finished_at, j.started_at, j.scheduled_for, j.queued_at, j.last_error
        from millrace.jobs j
        where j.tenant_id = (select millrace.current_tenant_id()) and j.finished_at >= now() - make_interval(secs => $1)
        order by j.finished_at desc limit $2::bigint) j
  join millrace.job_definitions d on d.id = j.definition_id
), definitions as (
  select n.key, count(*)::integer as ended, count(n.error)::integer as failed,
         percentile_cont(array[0.5, 0.95]) within group (order by n.wait_ms) as wait_ms,
         percentile_cont(array[0.5, 0.95]) within group (order by n.run_ms) as run_ms
  from newest n group by n.key
), parts as (
  select least(floor(extract(epoch from now() - n.finished_at) * $3::integer / $1), $3::integer - 1)::integer as part,
         count(*)::integer as ended, count(n.error)::integer as failed
  from newest n group by 1
), failures as (
  select n.key, n.error ->> 'type' as type, count(*)::integer as jobs, max(n.finished_at) as last_at,
         (array_agg(n.id order by n.finished_at desc))[1] as job_id,
         (array_agg(left(n.error ->> 'message', 500) order by n.finished_at desc))[1] as message
  from newest n where n.error is not null
  group by n.key, 2, regexp_replace(left(n.error ->> 'message', 200), '[0-9]+', '#', 'g')
  order by jobs desc, last_at desc limit $4::bigint
)
select (select count(*)::integer from newest) as job_count,
       case when (select count(*) from newest) = $2::bigint then (select min(n.finished_at) from newest n)
            else now() - make_interval(secs => $1) end as since,
       now() as counted_at,
       (select coalesce(jsonb_agg(to_jsonb(d) order by d.key), '[]') from definitions d) as definitions,
       (select coalesce(jsonb_agg(to_jsonb(p)), '[]') from parts p) as parts,
       (select coalesce(jsonb_agg(to_jsonb(f) order by f.jobs desc, f.last_at desc), '[]') from failures f) as failures`,
);

type Percentiles = readonly [number | null, number | null] | null;

export interface JobStatisticsRow {
  readonly job_count: number;
  readonly since: Date;
  readonly counted_at: Date;
  readonly definitions: readonly {
    readonly key: string;
    readonly ended: number;
    readonly failed: number;
    /** Median and 95th percentile; null where none of them ran. */
    readonly wait_ms: Percentiles;
    readonly run_ms: Percentiles;
  }[];
  readonly parts: readonly { readonly part: number; readonly ended: number; readonly failed: number }[];
  readonly failures: readonly {
    readonly key: string;
    readonly type: string | null;
    readonly message: string | null;
    readonly jobs: number;
    readonly last_at: string;
    readonly job_id: string;
  }[];
}
