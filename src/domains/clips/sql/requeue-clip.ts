import { statement } from '../../../db/statement.ts';

/**
 * Gives a clip that failed or whose time was up to a job that is going to make it. One that is ready stays
 * so: the job will find its file. Locks the row. Index: clips_pkey.
 */
export const requeueClip = statement(
  'requeue_clip',
  `
update millrace.clips
set status = 'queued', job_id = $3, error = null, expires_at = null,
    updated_at = clock_timestamp(), version = version + 1, changed_xid = pg_current_xact_id()
where tenant_id = $1 and id = $2 and status in ('failed', 'expired')`,
);
