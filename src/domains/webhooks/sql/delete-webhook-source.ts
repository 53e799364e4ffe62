import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { WebhookSource } from '../../../generated/prisma/client.ts';

/**
 * Deletes source $2 of tenant $1 (in one of the versions $3; null: in any) with its secrets. Indexes:
 * webhook_sources_pkey, webhook_secrets_owner_idx.
 */
export const deleteWebhookSource = statement(
  'delete_webhook_source',
  `
with gone as (
  delete from millrace.webhook_sources where tenant_id = $1 and id = $2 and ($3::text[] is null or version::text = any($3::text[])) returning id, label
), secrets as (
  delete from millrace.webhook_secrets where tenant_id = $1 and owner_id in (select id from gone)
)
select label from gone`,
);

export type DeletedSourceRow = Columns<WebhookSource, 'label'>;
