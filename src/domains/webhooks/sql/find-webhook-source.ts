import { statement } from '../../../db/statement.ts';

/** Source $1, by whose URL somebody calls: of whatever tenant, while it and its tenant are there and it is enabled. Index: webhook_sources_pkey. */
export const findWebhookSource = statement(
  'find_webhook_source',
  `
select s.id, s.tenant_id, s.event_name, s.verification, s.link_url_field,
       (select coalesce(jsonb_agg(x.secret order by x.id desc), '[]') from millrace.webhook_secrets x
        where x.owner_id = s.id and coalesce(x.expires_at > clock_timestamp(), true)) as secrets
from millrace.webhook_sources s
join millrace.tenants t on t.id = s.tenant_id and t.deleted_at is null
where s.id = $1 and s.is_enabled`,
);

export interface WebhookSourceRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly event_name: string;
  readonly verification: 'standard' | 'github' | 'token';
  /** The field of records whose URL becomes a link; null: messages become events alone. */
  readonly link_url_field: string | null;
  readonly secrets: readonly unknown[];
}
