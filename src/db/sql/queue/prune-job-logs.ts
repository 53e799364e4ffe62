import { statement } from '../../statement.ts';

/**
 * Deletes up to $1 log lines of deleted jobs, job after job, and forgets the jobs that have none left.
 * Crosses tenants. Locks the jobs' entries, skipping locked ones, and the lines, which nobody writes any
 * more. Says how many lines it deleted and whether it found all it was to. Indexes: deleted_job_logs_pkey,
 * job_log_lines_pkey.
 */
export const pruneJobLogs = statement(
  'prune_job_logs',
  `
with jobs as materialized (
  select job_id from millrace.deleted_job_logs order by job_id limit 100 for update skip locked
), doomed as materialized (
  select l.job_id, l.run_no, l.line_no from jobs j join millrace.job_log_lines l on l.job_id = j.job_id
  order by l.job_id, l.run_no, l.line_no
  limit $1
), gone as (
  delete from millrace.job_log_lines l using doomed d
  where l.job_id = d.job_id and l.run_no = d.run_no and l.line_no = d.line_no
  returning l.job_id
), reached as materialized (
  -- When the batch is full, its last job may have more lines.
  select count(*) as lines, max(job_id::text) as job_id from doomed
), forgotten as (
  delete from millrace.deleted_job_logs d using jobs j, reached r
  where d.job_id = j.job_id and (r.lines < $1 or d.job_id::text < r.job_id)
  returning d.job_id
)
select (select count(*)::integer from gone) as lines,
       (select count(*) from gone) = $1 or (select count(*) from forgotten) = 100 as more`,
);

export interface PrunedLogsRow {
  readonly lines: number;
  readonly more: boolean;
}
