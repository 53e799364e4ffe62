import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { WebhookSource } from '../../../generated/prisma/client.ts';

/** The webhook source of trigger $2 of tenant $1. Index: webhook_sources_trigger_idx. */
export const findWebhookOfTrigger = statement(
  'find_webhook_of_trigger',
  'select id from millrace.webhook_sources where tenant_id = $1 and trigger_id = $2',
);

export type WebhookOfTriggerRow = Columns<WebhookSource, 'id'>;
