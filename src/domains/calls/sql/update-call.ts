import { statement } from '../../../db/statement.ts';

/**
 * What a stage found out about a call; null leaves a column as it is, but for the error, which is always
 * written. Locks the row. Index: calls_pkey.
 */
export const updateCall = statement(
  'update_call',
  `
update millrace.calls
set status = $3,
    recording_key = coalesce($4, recording_key),
    size_bytes = coalesce($5::bigint, size_bytes),
    duration_ms = coalesce($6::bigint, duration_ms),
    channel_count = coalesce($7::integer, channel_count),
    loudness_lufs = coalesce($8::float8, loudness_lufs),
    is_silent = coalesce($9::boolean, is_silent),
    error = $10::jsonb,
    updated_at = clock_timestamp(), version = version + 1, changed_xid = pg_current_xact_id()
where tenant_id = $1 and id = $2`,
);
