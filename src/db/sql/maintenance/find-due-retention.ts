import { statement } from '../../statement.ts';

/**
 * Where finished jobs may be due for deletion: per tenant and retention, the definitions that share it. A definition's own
 * retention goes before its tenant's, and that before $1 (null: kept for ever). $2 and $3, in step: what was looked through
 * before, as `<tenant> <seconds> <definitions>` and up to which time; a definition that changes its retention makes another key
 * and so another look from the beginning. Crosses tenants; locks nothing. Index: jobs_finished_idx, one probe a row.
 */
export const findDueRetention = statement(
  'find_due_retention',
  `
with kept as (
  select t.id as tenant_id, coalesce(d.retention_seconds, t.retention_seconds, $1::bigint) as seconds,
         array_agg(d.id order by d.id) as definition_ids
  from millrace.tenants t cross join millrace.job_definitions d
  group by 1, 2
), span as materialized (
  select k.*, k.tenant_id || ' ' || k.seconds || ' ' || array_to_string(k.definition_ids, ',') as key,
         -- A minute more: a transaction that ended a job before that has committed. At most a century, which an interval can hold.
         clock_timestamp() - make_interval(secs => least(k.seconds, 3153600000) + 60) as until
  from kept k
  where k.seconds is not null
), seen as (
  select * from unnest($2::text[], $3::timestamptz[]) as s (key, position)
)
select sp.key, sp.tenant_id, sp.definition_ids, sp.until::text, coalesce(s.position, '-infinity')::text as position
from span sp left join seen s on s.key = sp.key
-- A probe of the index each. As EXISTS it becomes a join, for which the index is read from end to end.
where (select true from millrace.jobs j
       where j.tenant_id = sp.tenant_id and j.finished_at >= coalesce(s.position, '-infinity') and j.finished_at < sp.until
       order by j.finished_at
       limit 1)`,
);

export interface DueRetentionRow {
  readonly key: string;
  readonly tenant_id: string;
  readonly definition_ids: readonly string[];
  /** Jobs that finished before are due. Text: a Date has no microseconds. */
  readonly until: string;
  readonly position: string;
}
