import { statement } from '../../../db/statement.ts';

/**
 * A video whose first stream is begun. Only out of `uploaded`: a run that is repeated, and one that makes a
 * stream again, change nothing. Locks the row. Index: videos_pkey.
 */
export const beginTranscode = statement(
  'begin_transcode',
  `
update millrace.videos
set status = 'processing', updated_at = clock_timestamp(), version = version + 1, changed_xid = pg_current_xact_id()
where tenant_id = $1 and id = $2 and status = 'uploaded'`,
);
