import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { WebhookSource } from '../../../generated/prisma/client.ts';

/**
 * Changes source $2 of tenant $1: label $3, event name $4, whether it is enabled $5, each kept where
 * null. $6: only in one of these versions; null: in any. Locks the row. Index: webhook_sources_pkey.
 */
export const updateWebhookSource = statement(
  'update_webhook_source',
  `
update millrace.webhook_sources
set label = coalesce($3, label), event_name = coalesce($4, event_name), is_enabled = coalesce($5::boolean, is_enabled),
    version = version + 1, updated_at = clock_timestamp()
where tenant_id = $1 and id = $2 and ($6::text[] is null or version::text = any($6::text[]))
returning id, verification, trigger_id`,
);

export interface ChangedSourceRow extends Columns<WebhookSource, 'verification' | 'trigger_id'> {
  readonly verification: 'standard' | 'github' | 'token';
}
