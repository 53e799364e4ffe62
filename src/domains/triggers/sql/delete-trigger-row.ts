import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Trigger } from '../../../generated/prisma/client.ts';

/**
 * Deletes the trigger $2 of tenant $1, what is noted of its runs, and its webhook with its secrets. Its jobs
 * stay.
 * Indexes: triggers_pkey, webhook_sources_trigger_idx, webhook_secrets_owner_idx.
 */
export const deleteTriggerRow = statement(
  'delete_trigger_row',
  `
with secrets as (
  delete from millrace.webhook_secrets where tenant_id = $1
    and owner_id in (select s.id from millrace.webhook_sources s where s.tenant_id = $1 and s.trigger_id = $2)
)
delete from millrace.triggers where tenant_id = $1 and id = $2 returning label, kind`,
);

export type DeletedTriggerRow = Columns<Trigger, 'label' | 'kind'>;
