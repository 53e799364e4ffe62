import { statement } from '../../../db/statement.ts';

/**
 * Deletes attempts older than $1 seconds, receipts older than $2 seconds and secrets that have ended, at
 * most $3 of each. Ids hold the time at which rows were made. Indexes: webhook_deliveries_pkey,
 * webhook_receipts_received_idx.
 */
export const pruneWebhooks = statement(
  'prune_webhooks',
  `
with bound as materialized (
  select (lpad(to_hex((extract(epoch from clock_timestamp() - make_interval(secs => $1)) * 1000)::bigint), 12, '0') || '70000000000000000000')::uuid as id
), deliveries as (
  delete from millrace.webhook_deliveries d
  where d.id in (select o.id from millrace.webhook_deliveries o where o.id < (select b.id from bound b) order by o.id limit $3)
  returning 1
), receipts as (
  delete from millrace.webhook_receipts r
  where (r.source_id, r.message_id) in (
    select o.source_id, o.message_id from millrace.webhook_receipts o
    where o.received_at < clock_timestamp() - make_interval(secs => $2) order by o.received_at limit $3)
  returning 1
), secrets as (
  delete from millrace.webhook_secrets s where s.expires_at < clock_timestamp() - interval '1 hour' returning 1
)
select (select count(*)::integer from deliveries) as deliveries, (select count(*)::integer from receipts) as receipts`,
);

export interface PrunedWebhooksRow {
  readonly deliveries: number;
  readonly receipts: number;
}
