import { statement } from '../../../db/statement.ts';

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

export interface LockedCallRow {
  readonly id: string;
  readonly status: string;
  readonly recording_key: string | null;
  readonly source_url: string | null;
  readonly keep_recording: boolean;
  readonly language: string | null;
  readonly speakers: readonly string[];
  readonly created_by: string | null;
}
