import { statement } from '../../statement.ts';

/**
 * Looks at up to $2 waiting jobs after id $1 and releases or cancels those whose parents have all ended:
 * their settling should have. Crosses tenants. Locks only what it repairs, in id order. Indexes:
 * jobs_pending_idx, job_dependencies_pkey, jobs_pkey.
 * One row: the last id looked at (null when there was none), and how many were repaired.
 */
export const repairDependents = statement(
  'repair_dependents',
  `
with looked as materialized (
  select j.id from millrace.jobs j
  where j.status = 'queued' and j.pending_dependencies > 0 and j.id > $1::uuid
  order by j.id
  limit $2
), stuck as materialized (
  select array_agg(l.id) as ids from looked l
  where not exists (
    select from millrace.job_dependencies d join millrace.jobs p on p.id = d.depends_on_id
    where d.job_id = l.id and p.status in ('queued', 'running'))
)
select (select l.id from looked l order by l.id desc limit 1) as last_id,
       (select count(*) from stuck s, millrace.recount_dependencies(s.ids, null) r where s.ids is not null)::integer as repaired_count`,
);

export interface RepairRow {
  readonly last_id: string | null;
  readonly repaired_count: number;
}
