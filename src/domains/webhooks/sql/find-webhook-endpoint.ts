import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { WebhookEndpoint } from '../../../generated/prisma/client.ts';

/** Endpoint $2 of tenant $1, for its delivery. Locks nothing. Index: webhook_endpoints_pkey. */
export const findWebhookEndpoint = statement(
  'find_webhook_endpoint',
  'select e.url, e.paused_at, e.pause_reason from millrace.webhook_endpoints e where e.tenant_id = $1 and e.id = $2',
);

export type DeliveryEndpointRow = Columns<WebhookEndpoint, 'url' | 'paused_at' | 'pause_reason'>;
