import { statement } from '../../../db/statement.ts';

/**
 * The version of endpoint or source $2 of tenant $1. Indexes: webhook_endpoints_pkey, webhook_sources_pkey.
 */
export const findWebhookVersion = statement(
  'find_webhook_version',
  `
select version::text as version from millrace.webhook_endpoints where tenant_id = $1 and id = $2
union all
select version::text as version from millrace.webhook_sources where tenant_id = $1 and id = $2`,
);
