import { statement } from '../../../db/statement.ts';

/**
 * Changes endpoint $2 of tenant $1: label $3, URL $4, pause after $5, each kept where null; $6 true pauses it
 * with reason $7, false lets it deliver again, null changes neither. $8: only in one of these versions; null:
 * in any. No row where there is none, or it has another. Locks the row. Index: webhook_endpoints_pkey.
 */
export const updateWebhookEndpoint = statement(
  'update_webhook_endpoint',
  `
update millrace.webhook_endpoints
set label = coalesce($3, label), url = coalesce($4, url), pause_after_seconds = coalesce($5::integer, pause_after_seconds),
    paused_at = case $6::boolean when true then coalesce(paused_at, clock_timestamp()) when false then null else paused_at end,
    pause_reason = case $6::boolean when true then $7 when false then null else pause_reason end,
    consecutive_failures = case $6::boolean when false then 0 else consecutive_failures end,
    failing_since = case $6::boolean when false then null else failing_since end,
    version = version + 1, updated_at = clock_timestamp()
where tenant_id = $1 and id = $2 and ($8::text[] is null or version::text = any($8::text[]))
returning id`,
);
