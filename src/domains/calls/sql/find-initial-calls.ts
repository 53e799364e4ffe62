import { statement } from '../../../db/statement.ts';

/**
 * What a fresh list of tenant $1's calls starts from: newest first, at most $2. Filters, each null where it
 * is not used: $3 statuses, $4 creator. Locks nothing. Index: calls_history_idx, read backwards.
 */
export const findInitialCalls = statement(
  'find_initial_calls',
  `
select c.id, c.tenant_id, c.status, c.version::text as version, c.changed_xid::text as xid,
       null::text as subject_id, c.created_by
from millrace.calls c
where c.tenant_id = $1 and ($3::text[] is null or c.status = any ($3)) and ($4::text is null or c.created_by = $4)
order by c.id desc
limit $2`,
);
