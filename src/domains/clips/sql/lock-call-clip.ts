import { statement } from '../../../db/statement.ts';

/**
 * The clip of a range of a call, locked until its transaction ends: requests for it, and the end of its time,
 * take turns. With it whether its job runs. Index: clips_call_range_key, jobs_pkey.
 */
export const lockCallClip = statement(
  'lock_call_clip',
  `
select c.id, c.status, c.job_id, c.object_key, c.expires_at, c.expires_at <= clock_timestamp() as is_over,
       (select j.status from millrace.jobs j where j.id = c.job_id) as job_status
from millrace.clips c
where c.tenant_id = $1 and c.call_id = $2 and c.t_start_ms = $3 and c.t_end_ms = $4 and c.padding_ms = $5
for no key update of c`,
);
