import { statement } from '../../../db/statement.ts';

/**
 * Ends bulk action $2 of tenant $1, for its holder $3, as $4, with the error $5. Index: bulk_actions_pkey.
 */
export const endBulkAction = statement(
  'end_bulk_action',
  `
update millrace.bulk_actions b
set status = $4, error = $5, finished_at = clock_timestamp(), held_until = null, version = b.version + 1, changed_xid = pg_current_xact_id()
where b.tenant_id = $1 and b.id = $2 and b.holder = $3 and b.status = 'running'`,
);
