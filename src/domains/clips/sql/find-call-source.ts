import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Call } from '../../../generated/prisma/client.ts';

/**
 * The call that a clip is asked of. Locks nothing: its foreign key holds it from the insert on. Index:
 * calls_pkey.
 */
export const findCallSource = statement(
  'find_call_source',
  `
select id, status, title, recording_key, duration_ms::float8 as duration_ms from millrace.calls
where tenant_id = $1 and id = $2`,
);

export interface CallSourceRow extends Columns<Call, 'id' | 'status' | 'title' | 'recording_key'> {
  readonly duration_ms: number | null;
}
