import { statement } from '../../../db/statement.ts';

/** Ends a hold; $3 says whether the upload has ended with it. Locks the row. Index: uploads_pkey. */
export const releaseUpload = statement(
  'release_upload',
  `
update millrace.uploads
set held_by = null, held_until = null, is_wanted = false,
    completed_at = case when $3 then coalesce(completed_at, clock_timestamp()) else completed_at end
where id = $1 and held_by = $2`,
);
