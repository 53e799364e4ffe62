import { statement } from '../../../db/statement.ts';

/** Files of $1 could not be removed: the next try in $2 seconds. Locks the row. Index: deleted_media_pkey. */
export const putOffMediaSweep = statement(
  'put_off_media_sweep',
  `update millrace.deleted_media set next_sweep_at = clock_timestamp() + make_interval(secs => $2) where id = $1`,
);
