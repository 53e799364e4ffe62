import { statement } from '../../../db/statement.ts';

/**
 * The clip of a range of a call, as `lock_call_clip` gives it, for a caller that only asks again: nothing is
 * written, so nothing waits for the disk. Locks nothing. Index: clips_call_range_key, jobs_pkey.
 */
export const findCallClip = statement(
  'find_call_clip',
  `
select c.id, c.status, c.job_id, c.object_key, c.expires_at, c.expires_at <= clock_timestamp() as is_over,
       (select j.status from millrace.jobs j where j.id = c.job_id) as job_status
from millrace.clips c
where c.tenant_id = $1 and c.call_id = $2 and c.t_start_ms = $3 and c.t_end_ms = $4 and c.padding_ms = $5`,
);
