import type { Columns, NullableColumns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Job, WebhookDelivery } from '../../../generated/prisma/client.ts';

/**
 * What attempt $2 of tenant $1 delivered; without a payload when its job is gone. Locks nothing. Indexes:
 * webhook_deliveries_pkey, jobs_pkey.
 */
export const findDelivered = statement(
  'find_delivered',
  `
select d.endpoint_id, d.message_id, j.payload from millrace.webhook_deliveries d
left join millrace.jobs j on j.id = d.job_id and j.tenant_id = d.tenant_id
where d.tenant_id = $1 and d.id = $2`,
);

export interface DeliveredRow
  extends Columns<WebhookDelivery, 'endpoint_id' | 'message_id'>,
    NullableColumns<Job, 'payload'> {
  readonly payload: Readonly<Record<string, unknown>> | null;
}
