import type { UsageDay } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/**
 * What the tenant of the transaction used on the days $1 to $2 (UTC, both included), by day, definition and
 * outcome; with $3 only definitions of these keys. Hours that are summed up come from usage_days, later ones
 * from the events themselves: of stored events and of jobs at most the $4 oldest, so that it costs the same
 * however far the sums are behind. `exact_until`: what ended before is in the answer, nothing that ended
 * later. One row without a day where nothing was used. Locks nothing. Indexes: usage_days_pkey,
 * stored_usage_events_pkey, jobs_finished_idx.
 */
export const sumUsage = statement(
  'sum_usage',
  `
with chosen as materialized (
  select d.id, d.key from millrace.job_definitions d where $3::text[] is null or d.key = any ($3::text[])
), span as materialized (
  select greatest($1::date::timestamp at time zone 'UTC', r.rolled_until) as from_time, ($2::date + 1)::timestamp at time zone 'UTC' as to_time
  from millrace.usage_rollup r
), bound as materialized (
  select least(
    (select e.created_at from millrace.stored_usage_events e
     where e.tenant_id = (select millrace.current_tenant_id())
       and e.created_at >= (select s.from_time from span s) and e.created_at < (select s.to_time from span s)
     order by e.created_at offset $4::bigint limit 1),
    (select j.finished_at from millrace.jobs j
     where j.tenant_id = (select millrace.current_tenant_id())
       and j.finished_at >= (select s.from_time from span s) and j.finished_at < (select s.to_time from span s)
     order by j.finished_at offset $4::bigint limit 1),
    now()) as until
), parts as (
  select u.day, u.definition_id, u.outcome, u.runs, u.wall_ms, u.cpu_ms, u.cpu_runs
  from millrace.usage_days u
  where u.tenant_id = (select millrace.current_tenant_id()) and u.day between $1::date and $2::date
  union all
  select (e.created_at at time zone 'UTC')::date, e.definition_id, e.outcome,
         count(*), sum(e.wall_ms), coalesce(sum(e.cpu_ms), 0), count(e.cpu_ms)
  from millrace.usage_events e
  where e.tenant_id = (select millrace.current_tenant_id())
    and e.created_at >= (select s.from_time from span s) and e.created_at < (select s.to_time from span s)
    and e.created_at < (select b.until from bound b)
  group by 1, 2, 3
), summed as (
  select to_char(p.day, 'YYYY-MM-DD') as day, c.id as definition_id, c.key as definition_key, p.outcome,
         sum(p.runs)::text as runs, sum(p.wall_ms)::text as wall_ms, sum(p.cpu_ms)::text as cpu_ms, sum(p.cpu_runs)::text as cpu_runs
  from parts p join chosen c on c.id = p.definition_id
  group by p.day, c.id, c.key, p.outcome
)
select b.until as exact_until, s.* from bound b left join summed s on true
order by s.day, s.definition_key, s.outcome`,
);

export interface UsageSumRow
  extends Columns<UsageDay, 'definition_id' | 'outcome' | 'runs' | 'wall_ms' | 'cpu_ms' | 'cpu_runs'> {
  /** `2026-11-28`. */
  readonly day: string;
  readonly definition_key: string;
  /** Runs whose CPU time is known. */
  readonly cpu_runs: string;
}

/** What `sumUsage` answers: each row has the time, and all but a lone one have sums. */
export type SumUsageRow = { readonly exact_until: Date } & (UsageSumRow | { readonly day: null });
