import { statement } from '../../../db/statement.ts';

/** Prolongs a hold by $3 seconds. No row: the hold was lost. Locks the row. Index: video_puts_pkey. */
export const renewPut = statement(
  'renew_put',
  `
update millrace.video_puts set held_until = clock_timestamp() + make_interval(secs => $3)
where video_id = $1 and held_by = $2
returning video_id`,
);
