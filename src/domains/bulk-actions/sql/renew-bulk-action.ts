import { statement } from '../../../db/statement.ts';

/**
 * Keeps bulk action $1 for its holder $2 for $3 seconds more; 0 gives it back. Not a change that anybody is
 * shown. Index: bulk_actions_pkey.
 */
export const renewBulkAction = statement(
  'renew_bulk_action',
  `
update millrace.bulk_actions
set held_until = clock_timestamp() + make_interval(secs => $3), version = version + 1, changed_xid = pg_current_xact_id()
where id = $1 and holder = $2 and status = 'running'`,
);
