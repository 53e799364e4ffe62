import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { WebhookEndpoint } from '../../../generated/prisma/client.ts';

/**
 * Makes an endpoint of tenant $1: label, URL, pause after, who; nothing where the tenant has $6 already. Row
 * security checks the tenant.
 */
export const insertWebhookEndpoint = statement(
  'insert_webhook_endpoint',
  `
insert into millrace.webhook_endpoints (tenant_id, label, url, pause_after_seconds, created_by)
select $1::uuid, $2, $3, $4::integer, $5
where (select count(*) from (select from millrace.webhook_endpoints where tenant_id = $1::uuid limit $6::integer) held) < $6::integer
returning id`,
);

export type InsertedEndpointRow = Columns<WebhookEndpoint, 'id'>;
