import { statement } from '../../../db/statement.ts';

/**
 * How the job of a clip ended: $4 `ready`, with the facts from $5 on, or `failed`, with the error in $12.
 * Only for the job that the clip is waiting for; but a file that is there makes a clip that had failed or
 * gone ready, whichever job made it. Locks the row. Index: clips_pkey.
 */
export const settleClip = statement(
  'settle_clip',
  `
update millrace.clips
set status = $4, job_id = $3,
    object_key = coalesce($5, object_key), size_bytes = coalesce($6::bigint, size_bytes), sha256 = coalesce($7, sha256),
    start_ms = coalesce($8::bigint, start_ms), end_ms = coalesce($9::bigint, end_ms),
    width_px = coalesce($10::integer, width_px), height_px = coalesce($11::integer, height_px),
    error = $12::jsonb, expires_at = clock_timestamp() + kept_seconds * interval '1 second',
    updated_at = clock_timestamp(), version = version + 1, changed_xid = pg_current_xact_id()
where tenant_id = $1 and id = $2
  and ((job_id = $3 and status = 'queued') or ($4 = 'ready' and status in ('failed', 'expired')))`,
);
