import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Call } from '../../../generated/prisma/client.ts';

/**
 * One call, locked until its transaction ends: uploads and their completion take turns. Index: calls_pkey.
 */
export const lockCall = statement(
  'lock_call',
  `
select id, status, recording_key, source_url, keep_recording, language, speakers, created_by
from millrace.calls
where tenant_id = $1 and id = $2
for no key update`,
);

export type LockedCallRow = Columns<
  Call,
  'id' | 'status' | 'recording_key' | 'source_url' | 'keep_recording' | 'language' | 'speakers' | 'created_by'
>;
