import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { WebhookSource } from '../../../generated/prisma/client.ts';

/**
 * Makes a source of tenant $1: label, event name, verification, who; nothing where the tenant has $6
 * already. $7: the field of records whose URL becomes a link. $8: its trigger, or null. Row security checks
 * the tenant.
 */
export const insertWebhookSource = statement(
  'insert_webhook_source',
  `
insert into millrace.webhook_sources (tenant_id, label, event_name, verification, created_by, link_url_field, trigger_id)
select $1::uuid, $2, $3, $4, $5, $7, $8::uuid
where (select count(*) from (select from millrace.webhook_sources where tenant_id = $1::uuid limit $6::integer) held) < $6::integer
returning id`,
);

export type InsertedSourceRow = Columns<WebhookSource, 'id'>;
