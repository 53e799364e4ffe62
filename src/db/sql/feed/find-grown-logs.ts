import type { JobLogLine } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/**
 * Which of these jobs have log lines after the line given for each ($1 jobs, $2 runs, $3 lines). Crosses
 * tenants and gives no more than ids: what is read then is read as the tenant. Locks nothing. Index:
 * job_log_lines_pkey, one look a job.
 */
export const findGrownLogs = statement(
  'find_grown_logs',
  `
select i.job_id from unnest($1::uuid[], $2::integer[], $3::integer[]) as i (job_id, run_no, line_no)
where exists (select from millrace.job_log_lines l
              where l.job_id = i.job_id and (l.run_no, l.line_no) > (i.run_no, i.line_no))`,
);

export type GrownLogRow = Columns<JobLogLine, 'job_id'>;
