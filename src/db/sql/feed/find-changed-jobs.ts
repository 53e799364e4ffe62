import { BoundedMap } from '../../../core/bounded-map.ts';
import {
  type FeedConditions,
  feedShape,
  jobConditions,
  TOMBSTONE_CONDITIONS,
} from '../../feed-conditions.ts';
import { errorColumns } from '../../job-search-text.ts';
import { type Statement, statement } from '../../statement.ts';
import { finishedMs } from '../../time-order.ts';
import type { FeedJobRow } from './find-initial-jobs.ts';

/**
 * What of tenant $1 a subscriber has missed: jobs, their progress and removals that are not visible in the
 * snapshot it has seen ($2 xmax, $3 xip list) but in the one it is being brought to ($4, $5; null on the
 * first page, where it is the transaction's own). Page: ids after $6 (the least for the first), $7 rows.
 * `total` counts what is left. Of each kind $8 are read at most, in any order: a page is right only where
 * there are no more. Then the conditions that the filter has (`feed-conditions.ts`), and no others: one
 * statement for each combination of them. Neither status nor tags, error or end restrict: a job that has left
 * them is to be announced. What has changed again since $4 is left out: it comes with the next range, and no
 * older state can follow a newer one. Progress is looked up for jobs that run: one that does not any more has
 * itself changed since it last said something. Locks nothing. Index: jobs_changed_idx and
 * job_tombstones_changed_idx (the tenant is in the index, so that others' changes cost no look at their
 * rows), jobs_running_idx, job_progress_pkey, jobs_pkey with ids.
 */
export function findChangedJobs(conditions: FeedConditions): Statement {
  const shape = feedShape(conditions);
  const known = made.get(shape);
  if (known !== undefined) return known;
  const of = (row: string, id: string): string =>
    jobConditions(conditions, row, id, FIXED, row === 't' ? TOMBSTONE_CONDITIONS : null);
  const fresh = statement(
    shape === '' ? 'find_changed_jobs' : `find_changed_jobs_${shape}`,
    `
with missed as (
  ${HALVES.map(
    (
      half,
    ) => `(select 'job' as kind, j.id, j.tenant_id, j.definition_id, j.status, j.version::text as version, j.changed_xid::text as xid,
         j.subject_type, j.subject_id, j.correlation_id, j.created_by, j.tags, ${OTHERS}
  from millrace.jobs j
  where j.tenant_id = $1 and j.id > $6 and j.changed_xid > '0'::xid8 and j.changed_xid ${half} and ${upTo('j')}${of('j', 'id')} limit $8)`,
  ).join('\n  union all\n  ')}
  union all
  (select 'job', j.id, j.tenant_id, j.definition_id, j.status, j.version::text, j.changed_xid::text,
         j.subject_type, j.subject_id, j.correlation_id, j.created_by, j.tags, ${OTHERS}
  from millrace.jobs j join millrace.job_progress p on p.job_id = j.id
  where j.tenant_id = $1 and j.status = 'running' and j.id > $6 and ${since('p')} and ${upTo('p')}
    and not ${since('j')} and ${upTo('j')}${of('j', 'id')} limit $8)
  union all
  ${HALVES.map(
    (half) => `(select 'removed', t.job_id, t.tenant_id, t.definition_id, null, null, t.changed_xid::text,
         t.subject_type, t.subject_id, t.correlation_id, t.created_by, null, null, null, null, null, null
  from millrace.job_tombstones t
  where t.tenant_id = $1 and t.job_id > $6 and t.changed_xid ${half} and ${upTo('t')}${of('t', 'job_id')} limit $8)`,
  ).join('\n  union all\n  ')}
)
select *, (count(*) over ())::integer as total from missed order by id limit $7`,
  );
  made.set(shape, fresh);
  return fresh;
}

const { type, message } = errorColumns('j');
const OTHERS = `j.source, j.attempt_count, ${finishedMs('j')} as finished_ms, ${type} as error_type, ${message} as error_message`;

const made = new BoundedMap<string, Statement>(500);

/** Parameters before those of the filter. */
const FIXED = 8;

/** What began after the snapshot, and what was under way in it: a scan each, which ends at its limit. */
const HALVES = ['>= $2::xid8', '= any ($3::xid8[])'];

function since(row: string): string {
  return `(${row}.changed_xid >= $2::xid8 or ${row}.changed_xid = any ($3::xid8[]))`;
}

function upTo(row: string): string {
  return `($4::xid8 is null or (${row}.changed_xid < $4 and ${row}.changed_xid <> all ($5::xid8[])))`;
}

export interface ChangedJobRow extends FeedJobRow {
  readonly kind: 'job' | 'removed';
  readonly total: number;
}
