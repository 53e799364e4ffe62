import { statement } from '../../../db/statement.ts';

/**
 * Notes message $3 of source $1 (of tenant $2), which becomes event $4. No row: it was noted before. Waits
 * for another that notes the same.
 * Index: webhook_receipts_pkey.
 */
export const insertWebhookReceipt = statement(
  'insert_webhook_receipt',
  `
with noted as (
  insert into millrace.webhook_receipts (source_id, tenant_id, message_id, event_id) values ($1, $2, $3, $4)
  on conflict do nothing
  returning event_id
), counted as (
  update millrace.webhook_sources set received_count = received_count + 1, last_received_at = clock_timestamp()
  where id = $1 and exists (select from noted)
)
select event_id from noted`,
);
