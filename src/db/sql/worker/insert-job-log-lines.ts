import { statement } from '../../statement.ts';

/**
 * Stores log lines of running jobs, those of many runs at once: $1 to $3 the runs (job, run number, lease
 * token), $4 to $9 the lines (which of the runs, from 1; number in the run; level; message; data; time). Says
 * of each run whether its lines are stored now; a run that is missing from the answer has lost its lease.
 * Crosses tenants; fenced. May be repeated after an answer that was lost. Locks the jobs FOR SHARE until the
 * commit, in id order: a transaction that takes the job from this run, settles or deletes it comes after its
 * lines, so a reader that sees the job ended or with a later run sees all of them. Skips jobs that somebody
 * else holds this moment; their lines are to be given again. A share lock leaves no dead row, and version and
 * changed_xid as they are.
 * Indexes: jobs_pkey, job_log_lines_pkey.
 */
export const insertJobLogLines = statement(
  'insert_job_log_lines',
  `
with runs as materialized (
  select * from unnest($1::uuid[], $2::integer[], $3::uuid[]) with ordinality as r (id, run_no, token, place)
), held as materialized (
  select j.id, j.tenant_id, r.run_no, r.place from runs r join millrace.jobs j on j.id = r.id
  where j.run_no = r.run_no and j.lease_token = r.token
  order by j.id
  for share of j skip locked
), stored as (
  insert into millrace.job_log_lines (job_id, run_no, line_no, tenant_id, level, message, data, logged_at)
  select h.id, h.run_no, l.line_no, h.tenant_id, l.level, l.message, l.data::jsonb, l.logged_at
  from unnest($4::integer[], $5::integer[], $6::text[], $7::text[], $8::text[], $9::timestamptz[])
    as l (place, line_no, level, message, data, logged_at)
  join held h on h.place = l.place
  on conflict do nothing
)
select r.place::integer as place, exists (select from held h where h.place = r.place) as stored
from runs r join millrace.jobs j on j.id = r.id
where j.run_no = r.run_no and j.lease_token = r.token`,
);

export interface StoredLogRow {
  /** Which of the runs, from 1. */
  readonly place: number;
  /** False: somebody else holds the job's row this moment; try again soon. */
  readonly stored: boolean;
}
