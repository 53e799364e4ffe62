import { statement } from '../../statement.ts';
import type { FeedJobRow } from './find-initial-jobs.ts';

/**
 * What of tenant $1 a subscriber has missed: jobs, their progress and removals that are not visible in the snapshot it has
 * seen ($2 xmax, $3 xip list) but in the one it is being brought to ($4, $5; null on the first page, where it is the
 * transaction's own). Page: ids after $6 (null for the first), $7 rows. Filters, null where not used: $8 ids, $9 definitions,
 * $10 and $11 subject, $12 correlation, $13 creator. `total` counts what is left, to $14 at most.
 * Neither status nor tags restrict: a job that has left them is to be announced.
 * What has changed again since $4 is left out: it comes with the next range, and no older state can follow a newer one.
 * Progress is looked up for jobs that run: one that does not any more has itself changed since it last said something.
 * Locks nothing. Index: the *_changed_xid_idx (bitmap of both halves), jobs_running_idx, job_progress_pkey, jobs_pkey with ids.
 */
export const findChangedJobs = statement(
  'find_changed_jobs',
  `
with missed as (
  select 'job' as kind, j.id, j.tenant_id, j.definition_id, j.status, j.version::text as version, j.changed_xid::text as xid,
         j.subject_type, j.subject_id, j.correlation_id, j.created_by, j.tags
  from millrace.jobs j
  where j.tenant_id = $1 and ($6::uuid is null or j.id > $6) and ${since('j')} and ${upTo('j')} and ${matching('j', 'id')}
  union all
  select 'job', j.id, j.tenant_id, j.definition_id, j.status, j.version::text, j.changed_xid::text,
         j.subject_type, j.subject_id, j.correlation_id, j.created_by, j.tags
  from millrace.jobs j join millrace.job_progress p on p.job_id = j.id
  where j.tenant_id = $1 and j.status = 'running' and ($6::uuid is null or j.id > $6) and ${since('p')} and ${upTo('p')}
    and not ${since('j')} and ${upTo('j')} and ${matching('j', 'id')}
  union all
  select 'removed', t.job_id, t.tenant_id, t.definition_id, null, null, t.changed_xid::text,
         t.subject_type, t.subject_id, t.correlation_id, t.created_by, null
  from millrace.job_tombstones t
  where t.tenant_id = $1 and ($6::uuid is null or t.job_id > $6) and ${since('t')} and ${upTo('t')} and ${matching('t', 'job_id')}
  order by id limit $14
)
select *, (count(*) over ())::integer as total from missed order by id limit $7`,
);

function since(row: string): string {
  return `(${row}.changed_xid >= $2::xid8 or ${row}.changed_xid = any ($3::xid8[]))`;
}

function upTo(row: string): string {
  return `($4::xid8 is null or (${row}.changed_xid < $4 and ${row}.changed_xid <> all ($5::xid8[])))`;
}

function matching(row: string, id: string): string {
  return `($8::uuid[] is null or ${row}.${id} = any ($8)) and ($9::uuid[] is null or ${row}.definition_id = any ($9))
    and ($10::text is null or (${row}.subject_type = $10 and ${row}.subject_id = $11))
    and ($12::text is null or ${row}.correlation_id = $12) and ($13::text is null or ${row}.created_by = $13)`;
}

export interface ChangedJobRow extends FeedJobRow {
  readonly kind: 'job' | 'removed';
  readonly total: number;
}
