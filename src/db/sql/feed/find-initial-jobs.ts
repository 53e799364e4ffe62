import { BoundedMap } from '../../../core/bounded-map.ts';
import type { JobSource } from '../../../core/job.ts';
import type { Job } from '../../../generated/prisma/client.ts';
import type { Columns, NullableColumns } from '../../columns.ts';
import { type FeedConditions, feedShape, jobConditions } from '../../feed-conditions.ts';
import { errorColumns } from '../../job-search-text.ts';
import { type Statement, statement } from '../../statement.ts';
import { finishedMs } from '../../time-order.ts';

/** Index entries of a tenant's backlog that are put in order at most. */
const BACKLOG = 100_000;
/** Parameters before those of the filter. */
const FIXED = 4;

const made = new BoundedMap<string, Statement>(500);

/**
 * What a fresh subscription of tenant $1 starts from: active jobs and those that ended in the last $2
 * seconds, newest first, at most $3; with ids those of any age. Then the conditions that the filter has
 * (`feed-conditions.ts`), and no others: one statement for each combination of them. Each source of jobs is
 * looked through for at most $4 of them; the row without an id says whether one had more. Locks
 * nothing. Index: jobs_pkey with ids, jobs_subject_idx or jobs_correlation_idx with those; else
 * jobs_ready_idx (index only), jobs_waiting_idx, jobs_running_idx, jobs_finished_idx; then jobs_pkey, one
 * look a job.
 */
export function findInitialJobs(conditions: FeedConditions): Statement {
  const shape = feedShape(conditions);
  const known = made.get(shape);
  if (known !== undefined) return known;
  const sources = sourcesOf(conditions);
  const names = sources.map((_, at) => `source_${at}`);
  const fresh = statement(
    shape === '' ? 'find_initial_jobs' : `find_initial_jobs_${shape}`,
    `
with ${sources.map((source, at) => `${names[at]} as materialized (${source})`).join(',\n')}
(select f.id, f.tenant_id, f.definition_id, f.status, f.version::text as version, f.changed_xid::text as xid,
        f.subject_type, f.subject_id, f.correlation_id, f.created_by, f.tags, f.source, f.attempt_count, ${finishedMs('f')} as finished_ms,
        ${errorColumns('f').type} as error_type, ${errorColumns('f').message} as error_message, false as is_cut
 from (${names.map((name) => branch(name, conditions)).join('\nunion all ')}) as f
 order by coalesce(f.finished_at, f.queued_at) desc, f.id desc
 limit $3)
union all
select null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
       ${names.map((name) => `(select count(*) from ${name}) >= $4`).join(' or ')}`,
  );
  made.set(shape, fresh);
  return fresh;
}

/** Ids of jobs with what orders them, $4 at most each. */
function sourcesOf(conditions: FeedConditions): string[] {
  const of = (letters: string): string => jobConditions(conditions, 'j', 'id', FIXED, letters);
  const jobs = 'from millrace.jobs j where j.tenant_id = $1';
  if (conditions.ids !== null) return [`select j.id ${jobs}${of('i')} order by j.id desc limit $4`];
  const indexed = conditions.subject !== null ? 's' : conditions.correlationId !== null ? 'c' : null;
  if (indexed !== null) return [`select j.id ${jobs}${of(indexed)} order by j.id desc limit $4`];
  const ready = `${jobs} and j.status = 'queued' and j.pending_dependencies = 0${of('d')}`;
  return [
    // In order of ids only once they are all there: the planner would read all tenants' jobs by jobs_pkey in
    // search of them.
    `select r.id from (select j.id ${ready} limit ${BACKLOG}) r where true${jobConditions(conditions, 'r', 'id', FIXED, 'ab')} order by r.id desc limit $4`,
    `select j.id ${jobs} and j.status = 'queued' and j.pending_dependencies > 0${of('ab')} order by j.id desc limit $4`,
    `select j.id ${jobs} and j.status = 'running'${of('dab')} limit $4`,
    `select j.id ${jobs} and j.finished_at >= now() - make_interval(secs => $2)${of('fg')} order by j.finished_at desc limit $4`,
  ];
}

function branch(source: string, conditions: FeedConditions): string {
  const all = jobConditions(conditions, 'j', 'id', FIXED);
  const isCurrent =
    conditions.ids === null
      ? ` and (j.finished_at is null or j.finished_at >= now() - make_interval(secs => $2))`
      : // Postgres wants to know the type of each parameter.
        ' and $2::float8 is not null';
  // A probe of the index each: OFFSET 0 keeps it from being joined in any other order.
  return `(select l.* from ${source} s cross join lateral (
   select j.* from millrace.jobs j where j.id = s.id and j.tenant_id = $1${isCurrent}${all} offset 0) l limit $3)`;
}

/** A row as the feed's statements give it: what changed, and what filters look at. */
export interface FeedJobRow
  extends Columns<
      Job,
      | 'id'
      | 'tenant_id'
      | 'definition_id'
      | 'status'
      | 'version'
      | 'subject_type'
      | 'subject_id'
      | 'correlation_id'
      | 'created_by'
    >,
    // No tags without any, and neither of these of what is no job.
    NullableColumns<Job, 'tags' | 'source' | 'attempt_count'> {
  readonly xid: string;
  /** What asked for it, of jobs alone. */
  readonly source: JobSource | null;
  /** When it ended, in ms since 1970. */
  readonly finished_ms: number | null;
  /** The error of the last run, where it failed. */
  readonly error_type: string | null;
  /** Its beginning. */
  readonly error_message: string | null;
}

/** The last row has no id. */
export type InitialJobRow =
  | (FeedJobRow & { readonly is_cut: false })
  | { readonly id: null; readonly is_cut: boolean };
