import { statement } from '../../statement.ts';

/** Jobs that may not be in the daily sums yet are looked for whatever those say. */
const SUMMED_UP_AFTER = `interval '2 hours'`;

/**
 * Where finished jobs may be due for deletion: per tenant and retention, the definitions that share it, and
 * the position from which to look. A definition's own retention goes before its tenant's, and that before $1
 * (null: kept forever). A group that is new begins at the beginning, unless its definitions have a retention
 * of their own and the tenant's sums and lists say that it never had such jobs; so does one that an older
 * definition has joined, and every group with jobs that could not go, some hours later. What is new is noted.
 * Crosses tenants; locks no jobs. Index: jobs_finished_idx, one probe a row; usage_days_pkey and
 * jobs_ended_idx for new groups.
 */
export const findDueRetention = statement(
  'find_due_retention',
  `
with kept as (
  select t.id as tenant_id, coalesce(d.retention_seconds, t.retention_seconds, $1::bigint) as seconds,
         array_agg(d.id order by d.id) as definition_ids, bool_and(d.retention_seconds is not null) as is_own
  from millrace.tenants t cross join millrace.job_definitions d
  group by 1, 2
), span as materialized (
  select k.*,
         -- A minute more: a transaction that ended a job before that has committed. At most a century, which
         -- an interval can hold.
         clock_timestamp() - make_interval(secs => least(k.seconds, 3153600000) + 60) as until,
         case when p.look_again_at < clock_timestamp() then '-infinity'
              when not exists (select from millrace.job_definitions d
                               where d.id = any (k.definition_ids) and d.id <> all (p.definition_ids) and d.created_at < p.position)
              then p.position end as known
  from kept k left join millrace.retention_positions p on p.tenant_id = k.tenant_id and p.seconds = k.seconds
  where k.seconds is not null
), placed as materialized (
  select s.*, coalesce(s.known, case
    when s.is_own
     and (select true from millrace.usage_days u where u.tenant_id = s.tenant_id limit 1)
     and (select true from millrace.usage_days u where u.tenant_id = s.tenant_id and u.definition_id = any (s.definition_ids) limit 1) is null
     and (select true from millrace.jobs j
          where j.tenant_id = s.tenant_id and j.status in ('failed', 'dead_letter', 'canceled') and j.definition_id = any (s.definition_ids)
          limit 1) is null
    then least(s.until, clock_timestamp() - ${SUMMED_UP_AFTER}) else '-infinity' end) as position
  from span s
), noted as (
  insert into millrace.retention_positions as p (tenant_id, seconds, definition_ids, position)
  select l.tenant_id, l.seconds, l.definition_ids, l.position from placed l where l.known is null
  order by 1, 2
  on conflict (tenant_id, seconds) do update
  set definition_ids = excluded.definition_ids, position = excluded.position, look_again_at = null
)
select l.tenant_id, l.seconds::text, l.definition_ids, l.until::text, l.position::text as position,
       extract(epoch from l.until - f.finished_at)::float8 as lag_seconds
from placed l
-- A probe of the index each. As EXISTS it becomes a join, for which the index is read from end to end.
cross join lateral (
  select j.finished_at from millrace.jobs j
  where j.tenant_id = l.tenant_id and j.finished_at >= l.position and j.finished_at < l.until
  order by j.finished_at
  limit 1) f
order by l.tenant_id, l.seconds`,
);

export interface DueRetentionRow {
  readonly tenant_id: string;
  readonly seconds: string;
  readonly definition_ids: readonly string[];
  /** Jobs that finished before are due. Text: a Date has no microseconds. */
  readonly until: string;
  readonly position: string;
  /** For how long the oldest one that may be due has been so. */
  readonly lag_seconds: number;
}
