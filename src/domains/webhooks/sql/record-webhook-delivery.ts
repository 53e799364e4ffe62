import { statement } from '../../../db/statement.ts';

/**
 * Records an attempt ($3 on: job, run, message, event, outcome, status, error, answer, duration) of
 * endpoint $2 of tenant $1, and what it says of the endpoint: a success clears its failures; a failure
 * counts, and one too many ($12 in a row over its time, or at once where $13 gives a reason) pauses it. Says
 * whether it is paused by that. Locks the endpoint's row. Index: webhook_endpoints_pkey.
 */
export const recordWebhookDelivery = statement(
  'record_webhook_delivery',
  `
with attempt as (
  insert into millrace.webhook_deliveries
    (tenant_id, endpoint_id, job_id, run_no, message_id, event_name, outcome, status_code, error, answer, duration_ms)
  select $1::uuid, e.id, $3::uuid, $4::integer, $5, $6, $7, $8::integer, $9, $10, $11::integer
  from millrace.webhook_endpoints e where e.tenant_id = $1::uuid and e.id = $2::uuid
), changed as (
  update millrace.webhook_endpoints e
  set last_delivered_at = case $7 when 'delivered' then clock_timestamp() else e.last_delivered_at end,
      consecutive_failures = case $7 when 'delivered' then 0 else e.consecutive_failures + 1 end,
      failing_since = case $7 when 'delivered' then null else coalesce(e.failing_since, clock_timestamp()) end,
      paused_at = case when x.reason is not null then clock_timestamp() else e.paused_at end,
      pause_reason = coalesce(x.reason, e.pause_reason)
  from millrace.webhook_endpoints o
  cross join lateral (
    select case when $7 <> 'failed' or o.paused_at is not null then null
                when $13::text is not null then $13::text
                when o.consecutive_failures + 1 >= $12::integer
                 and o.failing_since < clock_timestamp() - make_interval(secs => o.pause_after_seconds)
                then format('%s deliveries in a row failed, since %s; the last: %s', o.consecutive_failures + 1,
                            to_char(o.failing_since at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"'), left(coalesce($9, 'status ' || $8), 300))
           end as reason
  ) x
  where o.tenant_id = $1::uuid and o.id = $2::uuid and e.id = o.id and $7 <> 'skipped'
  returning x.reason
)
select (select c.reason from changed c) as pause_reason`,
);

export interface RecordedDeliveryRow {
  readonly pause_reason: string | null;
}
