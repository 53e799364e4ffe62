import { statement } from '../../statement.ts';

/** The tenant's jobs in the order of their ids, for a stretch of them that no other index has in this order. */
const LISTED = 'millrace.jobs j join millrace.tenant_jobs l on l.tenant_id = $1 and l.job_id = j.id';

/**
 * What a fresh subscription of tenant $1 starts from: active jobs and those that ended in the last $2 seconds, newest first, at
 * most $3. Filters, each null where it is not used: $4 ids (then of any age), $5 definitions, $6 statuses, $7 and $8 subject,
 * $9 correlation, $10 creator, $11 tags. Locks nothing.
 * Index: jobs_pkey with ids; else jobs_ready_idx or tenant_jobs_pkey, jobs_waiting_idx, jobs_running_idx, jobs_finished_idx, each
 * cut off at $3 by itself, so that neither a long backlog nor a long history is read.
 */
export const findInitialJobs = statement(
  'find_initial_jobs',
  `
select id, tenant_id, definition_id, status, version::text as version, changed_xid::text as xid,
       subject_type, subject_id, correlation_id, created_by, tags
from (
  ${branch('$4::uuid[] is not null and j.id = any ($4)', 'j.id')}
  union all
  ${branch("$4::uuid[] is null and j.status = 'queued' and j.pending_dependencies = 0", 'j.id', LISTED)}
  union all
  ${branch("$4::uuid[] is null and j.status = 'queued' and j.pending_dependencies > 0", 'j.id')}
  union all
  ${branch("$4::uuid[] is null and j.status = 'running'", 'j.id')}
  union all
  ${branch('$4::uuid[] is null and j.finished_at >= now() - make_interval(secs => $2)', 'j.finished_at')}
) as jobs
order by coalesce(finished_at, queued_at) desc, id desc
limit $3`,
);

function branch(which: string, order: string, from = 'millrace.jobs j'): string {
  return `(select j.* from ${from}
   where j.tenant_id = $1 and ${which}
     and ($5::uuid[] is null or j.definition_id = any ($5)) and ($6::text[] is null or j.status = any ($6))
     and ($7::text is null or (j.subject_type = $7 and j.subject_id = $8))
     and ($9::text is null or j.correlation_id = $9) and ($10::text is null or j.created_by = $10)
     and ($11::text[] is null or j.tags && $11)
   order by ${order} desc limit $3)`;
}

/** A row as the feed's statements give it: what changed, and what filters look at. */
export interface FeedJobRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly definition_id: string;
  readonly status: string;
  readonly version: string;
  readonly xid: string;
  readonly subject_type: string | null;
  readonly subject_id: string | null;
  readonly correlation_id: string | null;
  readonly created_by: string | null;
  /** Null without any, and for what is no job. */
  readonly tags: readonly string[] | null;
}
