import { statement } from '../../../db/statement.ts';

/**
 * Makes the row of a range unless there is one; waits for a transaction that is just making it. Locks a new
 * row. Row security checks the tenant. Index: clips_tenant_id_video_id_t_start_ms_t_end_ms_padding_ms_key.
 */
export const insertClip = statement(
  'insert_clip',
  `
insert into millrace.clips (tenant_id, video_id, t_start_ms, t_end_ms, padding_ms, created_by)
values ($1, $2, $3, $4, $5, $6)
on conflict (tenant_id, video_id, t_start_ms, t_end_ms, padding_ms) do nothing`,
);
