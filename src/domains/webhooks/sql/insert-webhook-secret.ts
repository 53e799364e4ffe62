import { statement } from '../../../db/statement.ts';

/**
 * Gives $2 of tenant $1 the secret $3; the others end $4 seconds from now at the latest, and all but the
 * newest of them at once, so that at most two are good. Index: webhook_secrets_owner_idx.
 */
export const insertWebhookSecret = statement(
  'insert_webhook_secret',
  `
with old as (
  select s.id, row_number() over (order by s.id desc) as place from millrace.webhook_secrets s
  where s.tenant_id = $1 and s.owner_id = $2
), ended as (
  delete from millrace.webhook_secrets s using old o
  where s.id = o.id and (o.place > 1 or $4::integer = 0 or s.expires_at < clock_timestamp())
), ending as (
  update millrace.webhook_secrets s
  set expires_at = least(s.expires_at, clock_timestamp() + make_interval(secs => $4::integer))
  from old o
  where s.id = o.id and o.place = 1 and $4::integer > 0 and coalesce(s.expires_at > clock_timestamp(), true)
)
insert into millrace.webhook_secrets (tenant_id, owner_id, secret) values ($1, $2, $3::jsonb)`,
);
