import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Upload } from '../../../generated/prisma/client.ts';

/**
 * Prolongs a hold by $3 seconds and keeps what the store has to remember ($4, null for no change). No row:
 * the hold was lost. Locks the row. Index: uploads_pkey.
 */
export const renewUpload = statement(
  'renew_upload',
  `
update millrace.uploads
set held_until = clock_timestamp() + make_interval(secs => $3), store_state = coalesce($4, store_state)
where id = $1 and held_by = $2
returning is_wanted`,
);

export type RenewedUploadRow = Columns<Upload, 'is_wanted'>;
