import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { BulkAction } from '../../../generated/prisma/client.ts';

/**
 * Asks for the end of bulk action $2 of tenant $1, which comes after the batch under way. No row: it is not
 * there. Locks the row. Index: bulk_actions_pkey.
 */
export const stopBulkAction = statement(
  'stop_bulk_action',
  `
update millrace.bulk_actions b
set stop_requested_at = case when b.status = 'running' then coalesce(b.stop_requested_at, clock_timestamp()) else b.stop_requested_at end,
    version = b.version + 1, changed_xid = pg_current_xact_id()
where b.tenant_id = $1 and b.id = $2
returning b.status, b.verb`,
);

export type StoppedBulkActionRow = Columns<BulkAction, 'status' | 'verb'>;
