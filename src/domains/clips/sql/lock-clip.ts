import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Clip } from '../../../generated/prisma/client.ts';

/**
 * The clip of a range, locked until its transaction ends: requests for it, and the end of its time, take
 * turns. With it whether its job runs. Index: clips_tenant_id_video_id_t_start_ms_t_end_ms_padding_ms_key,
 * jobs_pkey.
 */
export const lockClip = statement(
  'lock_clip',
  `
select c.id, c.status, c.job_id, c.object_key, c.expires_at, c.expires_at <= clock_timestamp() as is_over,
       (select j.status from millrace.jobs j where j.id = c.job_id) as job_status
from millrace.clips c
where c.tenant_id = $1 and c.video_id = $2 and c.t_start_ms = $3 and c.t_end_ms = $4 and c.padding_ms = $5
for no key update of c`,
);

export interface LockedClipRow
  extends Columns<Clip, 'id' | 'status' | 'job_id' | 'object_key' | 'expires_at'> {
  readonly status: 'queued' | 'running' | 'ready' | 'failed' | 'expired';
  /** Its time is up, though nobody has taken it away yet. */
  readonly is_over: boolean | null;
  readonly job_status: string | null;
}
