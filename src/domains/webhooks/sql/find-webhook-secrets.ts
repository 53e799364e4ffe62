import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { WebhookSecret } from '../../../generated/prisma/client.ts';

/**
 * The secrets of $2 of tenant $1 that are good, the newest first, at most two. Locks nothing. Index:
 * webhook_secrets_owner_idx.
 */
export const findWebhookSecrets = statement(
  'find_webhook_secrets',
  `
select s.secret from millrace.webhook_secrets s
where s.tenant_id = $1 and s.owner_id = $2 and coalesce(s.expires_at > clock_timestamp(), true)
order by s.id desc
limit 2`,
);

export type WebhookSecretRow = Columns<WebhookSecret, 'secret'>;
