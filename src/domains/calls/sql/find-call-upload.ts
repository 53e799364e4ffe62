import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Call } from '../../../generated/prisma/client.ts';

/**
 * The call $1 that an object $2 would be the recording of. Crosses tenants. Locks nothing. Index: calls_pkey.
 */
export const findCallUpload = statement(
  'find_call_upload',
  `select tenant_id, status from millrace.calls where id = $1 and recording_key = $2`,
);

export type CallUploadRow = Columns<Call, 'tenant_id' | 'status'>;
