import { statement } from '../../../db/statement.ts';

/**
 * Status $3 of tenant $1's link $2, with the error $4 of one that failed. Locks the row. Index: links_pkey.
 */
export const setLinkStatus = statement(
  'set_link_status',
  `
update millrace.links
set status = $3, processing_error = $4,
    updated_at = clock_timestamp(), version = version + 1, changed_xid = pg_current_xact_id()
where tenant_id = $1 and id = $2`,
);
