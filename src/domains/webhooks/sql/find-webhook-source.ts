import { statement } from '../../../db/statement.ts';

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

export interface WebhookSourceRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly event_name: string;
  readonly verification: 'standard' | 'github' | 'token';
  /** The field of records whose URL becomes a link; null: messages become events alone. */
  readonly link_url_field: string | null;
  /** The one trigger that its events are for; null for all of their name. */
  readonly trigger_id: string | null;
  readonly event_pattern: string | null;
  readonly secrets: readonly unknown[];
}
