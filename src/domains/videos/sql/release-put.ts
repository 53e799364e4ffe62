import { statement } from '../../../db/statement.ts';

/**
 * Ends a hold; $3: the bytes that are stored now, null when the put failed. Locks the row. Index:
 * video_puts_pkey.
 */
export const releasePut = statement(
  'release_put',
  `
update millrace.video_puts
set held_by = null, held_until = null, size_bytes = 0, stored_bytes = coalesce($3, stored_bytes)
where video_id = $1 and held_by = $2`,
);
