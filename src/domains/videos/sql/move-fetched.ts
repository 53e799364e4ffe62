import { statement } from '../../../db/statement.ts';

/**
 * Moves a video that has no original yet from status $3 to $4, with the error $5: what a job that fetches an
 * original ends with, or is put back to. One that has its original by now stays as it is. Locks the row.
 * Index: videos_pkey.
 */
export const moveFetched = statement(
  'move_fetched',
  `
update millrace.videos
set status = $4, error = $5::jsonb,
    updated_at = clock_timestamp(), version = version + 1, changed_xid = pg_current_xact_id()
where tenant_id = $1 and id = $2 and status = $3 and size_bytes is null`,
);
