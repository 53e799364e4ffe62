import { statement } from '../../statement.ts';

/**
 * Looks at up to $5 finished jobs of tenant $1 from time $2 up to time $3, oldest first, and deletes up to $6
 * of them that belong to definitions $4 and that no unfinished job depends on. Their attempts, progress and
 * edges go with them; a trigger leaves tombstones. `has_left`: one that was due could not go. Dead letters
 * have a retention of their own, see delete_dead_letters. `position` says where to go on; null when
 * everything before $3 has been looked at. Locks the rows it deletes, skipping those that somebody holds this
 * moment (a retry, an enqueue behind them).
 * Indexes: jobs_finished_idx, jobs_pkey, job_dependencies_parent_idx, artifacts_named_idx.
 */
export const deleteFinishedJobs = statement(
  'delete_finished_jobs',
  `
with looked as materialized (
  select j.id, j.definition_id, j.status, j.finished_at from millrace.jobs j
  where j.tenant_id = $1 and j.finished_at >= $2::timestamptz and j.finished_at < $3::timestamptz
  order by j.finished_at
  limit $5
), due as materialized (
  select j.id from looked l join millrace.jobs j on j.id = l.id
  where l.definition_id = any ($4::uuid[]) and j.finished_at < $3::timestamptz and j.status <> 'dead_letter'
    and not exists (select from millrace.job_dependencies d join millrace.jobs c on c.id = d.job_id
                    where d.depends_on_id = j.id and c.finished_at is null)
  order by j.id
  limit $6
  for update of j skip locked
), gone as (
  delete from millrace.jobs j using due where j.id = due.id returning j.id
), counted as (
  select (select count(*)::integer from gone) as deleted, count(*)::integer as looked, max(l.finished_at) as last from looked l
)
select c.deleted,
       c.deleted < $6 and exists (
         select from looked l where l.definition_id = any ($4::uuid[]) and l.status <> 'dead_letter' and l.id not in (select g.id from gone g)) as has_left,
       case when c.deleted = $6 then $2::timestamptz
            when c.looked < $5 then null
            -- A whole page of one moment, none of which may go: step over it.
            when c.last = $2::timestamptz then c.last + interval '1 microsecond'
            else c.last end::text as position
from counted c`,
);

export interface DeletedJobsRow {
  readonly deleted: number;
  readonly has_left: boolean;
  readonly position: string | null;
}
