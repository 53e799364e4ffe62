import { statement } from '../../../db/statement.ts';

/** Endpoint $2 of tenant $1, for its delivery. Locks nothing. Index: webhook_endpoints_pkey. */
export const findWebhookEndpoint = statement(
  'find_webhook_endpoint',
  'select e.url, e.paused_at, e.pause_reason from millrace.webhook_endpoints e where e.tenant_id = $1 and e.id = $2',
);

export interface DeliveryEndpointRow {
  readonly url: string;
  readonly paused_at: Date | null;
  readonly pause_reason: string | null;
}
