import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Upload } from '../../../generated/prisma/client.ts';
import type { PartialState } from '../../../storage/partial-store.ts';

/**
 * Makes $2 the one who adds to an upload, for $3 seconds, unless another one does, the original is being put,
 * or it has ended. Locks the row.
 * Index: uploads_pkey. Returns what the last holder has left.
 */
export const holdUpload = statement(
  'hold_upload',
  `
update millrace.uploads
set held_by = $2, held_until = clock_timestamp() + make_interval(secs => $3), is_wanted = false
where id = $1 and completed_at is null and expires_at > clock_timestamp()
  and (held_until is null or held_until < clock_timestamp())
  and not exists (select from millrace.video_puts p where p.video_id = uploads.video_id and p.held_until > clock_timestamp())
returning store_state`,
);

export interface HeldUploadRow extends Columns<Upload, 'store_state'> {
  readonly store_state: PartialState;
}
