import { statement } from '../../../db/statement.ts';

/**
 * Notes for bulk action $2 of tenant $1, held by $3, that $4 more jobs match than were looked at, and $5
 * whether there may be others. Index: bulk_actions_pkey.
 */
export const noteBulkMatches = statement(
  'note_bulk_matches',
  `
update millrace.bulk_actions b
set matched_count = b.done_count + b.requested_count + b.failed_count + $4, has_more = $5,
    version = b.version + 1, changed_xid = pg_current_xact_id()
where b.tenant_id = $1 and b.id = $2 and b.holder = $3 and b.status = 'running'
returning b.stop_requested_at is not null as "isStopRequested"`,
);
