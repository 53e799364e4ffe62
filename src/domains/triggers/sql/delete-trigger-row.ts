import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Trigger } from '../../../generated/prisma/client.ts';

/** Deletes the trigger $2 of tenant $1, and what is noted of its runs. Its jobs stay. Index: triggers_pkey. */
export const deleteTriggerRow = statement(
  'delete_trigger_row',
  'delete from millrace.triggers where tenant_id = $1 and id = $2 returning label, kind',
);

export type DeletedTriggerRow = Columns<Trigger, 'label' | 'kind'>;
