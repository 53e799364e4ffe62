import { statement } from '../../statement.ts';

/**
 * Adds the next whole hour of usage_events to usage_days, if it ended more than $1 seconds ago: every writer
 * into it has committed by then. Returns a row when there was one. Sum and progress are one statement: no
 * hour is added twice. Locks the row of usage_rollup first, then the days' rows. Indexes:
 * stored_usage_events_pkey and jobs_finished_idx, by their second column.
 */
export const rollUsageHour = statement(
  'roll_usage_hour',
  `
with hour as materialized (
  select r.rolled_until as from_time, r.rolled_until + interval '1 hour' as to_time from millrace.usage_rollup r
  where r.rolled_until + interval '1 hour' < clock_timestamp() - make_interval(secs => $1)
  for no key update
), summed as (
  insert into millrace.usage_days as u (tenant_id, day, definition_id, outcome, runs, wall_ms, cpu_ms, cpu_runs)
  select e.tenant_id, (select (h.from_time at time zone 'UTC')::date from hour h), e.definition_id, e.outcome,
         count(*), sum(e.wall_ms), coalesce(sum(e.cpu_ms), 0), count(e.cpu_ms)
  from millrace.usage_events e
  -- As values and not as a join, for which the planner would read all jobs that are kept.
  where e.created_at >= (select h.from_time from hour h) and e.created_at < (select h.to_time from hour h)
  group by 1, 2, 3, 4
  order by 1, 2, 3, 4
  on conflict (tenant_id, day, definition_id, outcome) do update
  set runs = u.runs + excluded.runs, wall_ms = u.wall_ms + excluded.wall_ms,
      cpu_ms = u.cpu_ms + excluded.cpu_ms, cpu_runs = u.cpu_runs + excluded.cpu_runs
)
update millrace.usage_rollup r set rolled_until = h.to_time from hour h returning r.rolled_until`,
);
