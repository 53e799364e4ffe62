import { statement } from '../../statement.ts';

/**
 * Deletes up to $2 dead letters that ended more than $1 seconds ago and that no unfinished job depends on, of
 * all tenants. Locks the rows that it deletes, skipping those that somebody holds this moment (a
 * retry). Indexes: jobs_ended_idx, job_dependencies_parent_idx.
 */
export const deleteDeadLetters = statement(
  'delete_dead_letters',
  `
with due as materialized (
  select o.id from millrace.tenants t
  cross join lateral (
    select j.id from millrace.jobs j
    where j.tenant_id = t.id and j.status = 'dead_letter' and j.finished_at < clock_timestamp() - make_interval(secs => $1::float8)
      and not exists (select from millrace.job_dependencies d join millrace.jobs c on c.id = d.job_id
                      where d.depends_on_id = j.id and c.finished_at is null)
    order by j.id limit $2 for update of j skip locked) o
  limit $2
), gone as (
  delete from millrace.jobs j using due where j.id = due.id returning 1
)
select count(*)::integer as deleted from gone`,
);

export interface DeletedDeadLettersRow {
  readonly deleted: number;
}
