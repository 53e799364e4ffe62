import type { Job } from '../../../generated/prisma/client.ts';
import type { Columns } from '../../columns.ts';
import { statement } from '../../statement.ts';

/**
 * Empties what the ended job $1 of tenant $2 was given and what came of it: payload, result, metadata, error
 * texts, outputs of its attempts and its log, and what the events of its end say of those. No row: it is not
 * there, or has not ended. Locks the job. Indexes: jobs_pkey, stored_attempts_pkey, job_log_lines_pkey,
 * app_events_own_idx.
 */
export const redactJob = statement(
  'redact_job',
  `
with redacted as (
  update millrace.jobs
  set payload = '{}', result = null, metadata = null, redacted_at = clock_timestamp(),
      last_error = case when last_error is not null then last_error || '{"message": "•••"}' end
  where id = $1 and tenant_id = $2 and status in ('succeeded', 'failed', 'canceled', 'dead_letter')
  returning id
), attempts as (
  update millrace.stored_attempts a
  set stdout_tail = null, stderr_tail = null, error = case when a.error is not null then a.error || '{"message": "•••"}' end
  from redacted r where a.job_id = r.id
), events as (
  update millrace.app_events e
  set data = e.data - 'result' || case when e.data ? 'error' then '{"error": "•••"}'::jsonb else '{}' end
  from redacted r where e.tenant_id = $2 and e.source = 'system' and e.source_ref = r.id::text
), progress as (
  delete from millrace.job_progress p using redacted r where p.job_id = r.id
), lines as (
  delete from millrace.job_log_lines l using redacted r where l.job_id = r.id returning 1
)
select r.id, (select count(*)::integer from lines) as "lineCount" from redacted r`,
);

export interface RedactedJobRow extends Columns<Job, 'id'> {
  readonly lineCount: number;
}
