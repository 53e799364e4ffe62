import type { Columns, NullableColumns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Trigger, WebhookSource } from '../../../generated/prisma/client.ts';

/**
 * Source $1, by whose URL somebody calls: of whatever tenant, while it and its tenant are there and it is
 * enabled; with the pattern of its trigger, where it has one. Indexes: webhook_sources_pkey, triggers_pkey.
 */
export const findWebhookSource = statement(
  'find_webhook_source',
  `
select s.id, s.tenant_id, s.event_name, s.verification, s.link_url_field, s.trigger_id, g.event_pattern,
       (select coalesce(jsonb_agg(x.secret order by x.id desc), '[]') from millrace.webhook_secrets x
        where x.owner_id = s.id and coalesce(x.expires_at > clock_timestamp(), true)) as secrets
from millrace.webhook_sources s
join millrace.tenants t on t.id = s.tenant_id and t.deleted_at is null
left join millrace.triggers g on g.id = s.trigger_id
where s.id = $1 and s.is_enabled`,
);

export interface WebhookSourceRow
  extends Columns<
      WebhookSource,
      'id' | 'tenant_id' | 'event_name' | 'verification' | 'link_url_field' | 'trigger_id'
    >,
    NullableColumns<Trigger, 'event_pattern'> {
  readonly verification: 'standard' | 'github' | 'token';
  readonly secrets: readonly unknown[];
}
