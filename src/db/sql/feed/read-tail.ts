import type { FeedTable } from '../../feed-table.ts';
import { errorColumns } from '../../job-search-text.ts';
import { type Statement, statement } from '../../statement.ts';
import { finishedMs } from '../../time-order.ts';
import type { FeedJobRow } from './find-initial-jobs.ts';

/**
 * Everything that is not visible in an older snapshot: $1 its xmax, $2 its xip list; at most $3 rows of each
 * kind of trace. The first row is the server's: the statement's own snapshot, so that the next look begins
 * where this one ends.
 * @param tables those of the domains, beside the engine's own
 * Locks nothing. Index: the *_changed_idx and job_progress_changed_idx; never a filter on visibility, which
 * reads everything since the oldest open transaction.
 */
export function readTail(tables: readonly FeedTable[]): Statement {
  return statement(
    'read_tail',
    `
select 'server' as kind, null::uuid as id, null::uuid as tenant_id, null::uuid as definition_id, null::text as status,
       null::text as version, null::text as xid, null::text as subject_type, null::text as subject_id,
       null::text as correlation_id, null::text as created_by, null::text[] as tags,
       null::text as source, null::integer as attempt_count, null::float8 as finished_ms,
       null::text as error_type, null::text as error_message,
       pg_current_snapshot()::text as snapshot,
       concat_ws('.', (extract(epoch from pg_postmaster_start_time()) * 1000000)::bigint,
                      (extract(epoch from pg_stat_get_bgwriter_stat_reset_time()) * 1000000)::bigint) as life,
       (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms
${branch('job', 'millrace.jobs j', 'j', jobColumns('j'))}
${branch(
  'progress',
  // A look at the job each: joined, the planner would read all of both tables side by side.
  'millrace.job_progress p cross join lateral (select * from millrace.jobs o where o.id = p.job_id offset 0) j',
  'p',
  jobColumns('p'),
  'number',
)}
${branch(
  'removed',
  'millrace.job_tombstones t',
  't',
  `t.job_id, t.tenant_id, t.definition_id, null, null, t.changed_xid::text, t.subject_type, t.subject_id,
   t.correlation_id, t.created_by, null, null, null, null, null, null`,
)}${tables.map(ofTable).join('')}`,
  );
}

/**
 * Changes of a domain's entities: what they are in the place of the subject's type, what they belong to in
 * that of its id.
 */
function ofTable({
  table,
  entity,
  isOfDeleted,
  id,
  status,
  version,
  createdBy,
  parentId,
}: FeedTable): string {
  const columns = `${id}, r.tenant_id, null, ${status}, (${version})::text, r.changed_xid::text, ${entity}, (${parentId})::text, null, ${createdBy}, null, null, null, null, null, null`;
  return `\n${branch(isOfDeleted ? 'entityRemoved' : 'entity', `${table} r`, 'r', columns)}`;
}

function jobColumns(stamped: string): string {
  const { type, message } = errorColumns('j');
  return `j.id, j.tenant_id, j.definition_id, j.status, j.version::text, ${stamped}.changed_xid::text, j.subject_type,
   j.subject_id, j.correlation_id, j.created_by, j.tags, j.source, j.attempt_count, ${finishedMs('j')}, ${type}, ${message}`;
}

/**
 * Two index scans: what began after the snapshot, and what was under way in it.
 * @param indexed as what: the BRIN index of progress knows no xid8, and has the number
 */
function branch(
  kind: string,
  from: string,
  stamped: string,
  columns: string,
  indexed: 'xid8' | 'number' = 'xid8',
): string {
  const of = (xid: string): string => (indexed === 'xid8' ? xid : `millrace.xid_number(${xid})`);
  const arrayType = indexed === 'xid8' ? 'xid8[]' : 'xid8[]::text[]::bigint[]';
  const changed = of(`${stamped}.changed_xid`);
  // The condition of jobs_changed_idx, which holds for all rows.
  const ofIndex = kind === 'job' ? `${changed} > '0'::xid8 and ` : '';
  const select = `select '${kind}', ${columns}, null, null, null\n from ${from} where ${ofIndex}${changed}`;
  // A BRIN index knows no arrays: it is asked for what began at or after the first of them.
  const first =
    indexed === 'xid8' ? '' : ` >= (select min(x) from unnest($2::${arrayType}) x) and ${changed}`;
  return `union all (${select} >= ${of('$1::xid8')} order by ${changed} limit $3::bigint)
union all (${select}${first} = any ($2::${arrayType}) limit $3::bigint)`;
}

export interface TailRow extends FeedJobRow {
  readonly kind: 'server' | 'job' | 'progress' | 'removed' | 'entity' | 'entityRemoved';
  /** On the server's row only, as the next two. */
  readonly snapshot: string;
  readonly life: string;
  readonly now_ms: number;
}
