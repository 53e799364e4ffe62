import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Call } from '../../../generated/prisma/client.ts';

/** The version of a call that is about to be deleted. Locks the row. Index: calls_pkey. */
export const holdCallToDelete = statement(
  'hold_call_to_delete',
  'select version::text as version from millrace.calls where tenant_id = $1 and id = $2 for update',
);

export type CallToDeleteRow = Columns<Call, 'version'>;
