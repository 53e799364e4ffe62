import { statement } from '../../../db/statement.ts';

/**
 * Counts a message of source $2 of tenant $1 that carries no id. Locks the row. Index: webhook_sources_pkey.
 */
export const countWebhookSource = statement(
  'count_webhook_source',
  `
update millrace.webhook_sources set received_count = received_count + 1, last_received_at = clock_timestamp()
where tenant_id = $1 and id = $2`,
);
