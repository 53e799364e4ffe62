import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { WebhookReceipt } from '../../../generated/prisma/client.ts';

/** The event that message $2 of source $1 has become. Locks nothing. Index: webhook_receipts_pkey. */
export const findWebhookReceipt = statement(
  'find_webhook_receipt',
  'select r.event_id from millrace.webhook_receipts r where r.source_id = $1 and r.message_id = $2',
);

export type WebhookReceiptRow = Columns<WebhookReceipt, 'event_id'>;
