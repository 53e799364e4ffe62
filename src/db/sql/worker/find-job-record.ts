import type { RecordedLine, RecordedRun } from '../../../core/run-records.ts';
import type { Job } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/**
 * What is known of job $1: its newest 100 runs and its newest $2 log lines, both in their order. Crosses
 * tenants. Locks nothing.
 * Indexes: jobs_pkey, stored_attempts_pkey, job_log_lines_pkey.
 */
export const findJobRecord = statement(
  'find_job_record',
  `
select j.id, j.status, d.key as definition_key, j.payload,
  coalesce((
    select jsonb_agg(jsonb_build_object('runNo', a.attempt_no, 'status', a.status, 'worker', a.worker_id, 'claimedAt', a.claimed_at,
      'startedAt', a.started_at, 'finishedAt', a.finished_at, 'error', a.error) order by a.attempt_no)
    from (select * from millrace.job_attempts where job_id = j.id order by attempt_no desc limit 100) a
  ), '[]') as runs,
  coalesce((
    select jsonb_agg(jsonb_build_object('runNo', l.run_no, 'level', l.level, 'message', l.message, 'data', l.data, 'at', l.logged_at)
      order by l.run_no, l.line_no)
    from (select * from millrace.job_log_lines where job_id = j.id order by run_no desc, line_no desc limit $2) l
  ), '[]') as lines
from millrace.jobs j join millrace.job_definitions d on d.id = j.definition_id
where j.id = $1`,
);

export interface JobRecordRow extends Columns<Job, 'id' | 'status' | 'payload'> {
  readonly definition_key: string;
  readonly runs: readonly RecordedRun[];
  readonly lines: readonly RecordedLine[];
}
