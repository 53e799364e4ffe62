import { statement } from '../../../db/statement.ts';

/** The recording of a call is there. The transaction holds the row. Index: calls_pkey. */
export const recordCallUpload = statement(
  'record_call_upload',
  `
update millrace.calls
set status = 'queued', size_bytes = $3::bigint,
    updated_at = clock_timestamp(), version = version + 1, changed_xid = pg_current_xact_id()
where tenant_id = $1 and id = $2`,
);
