import { statement } from '../../../db/statement.ts';

/**
 * A clip waits for job $3 from now on, and is kept $4 seconds once made (null: forever). The transaction
 * holds the row. Index: clips_pkey.
 */
export const startClip = statement(
  'start_clip',
  `
update millrace.clips
set status = 'queued', job_id = $3, kept_seconds = $4::bigint, error = null, expires_at = null,
    updated_at = clock_timestamp(), version = version + 1, changed_xid = pg_current_xact_id()
where tenant_id = $1 and id = $2`,
);
