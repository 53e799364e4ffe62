import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Clip } from '../../../generated/prisma/client.ts';

/** The version of a clip that is about to be deleted. Locks the row. Index: clips_pkey. */
export const holdClipToDelete = statement(
  'hold_clip_to_delete',
  'select version::text as version from millrace.clips where tenant_id = $1 and id = $2 for update',
);

export type ClipToDeleteRow = Columns<Clip, 'version'>;
