import { statement } from '../../../db/statement.ts';

/**
 * Makes the row of a range of a call unless there is one; waits for a transaction that is just making it.
 * Locks a new row. Row security checks the tenant. Index: clips_call_range_key.
 */
export const insertCallClip = statement(
  'insert_call_clip',
  `
insert into millrace.clips (tenant_id, call_id, t_start_ms, t_end_ms, padding_ms, created_by)
values ($1, $2, $3, $4, $5, $6)
on conflict (call_id, t_start_ms, t_end_ms, padding_ms) where call_id is not null do nothing`,
);
