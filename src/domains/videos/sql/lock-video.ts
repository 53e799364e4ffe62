import type { Columns, NullableColumns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Video } from '../../../generated/prisma/client.ts';
import type { OwnProcessing } from '../pipeline/processing.ts';

/**
 * A video of a tenant, locked until its upload is recorded: two completions take turns. Index: videos_pkey.
 */
export const lockVideo = statement(
  'lock_video',
  `
select id, status, original_key, content_type, languages, owner_id, processing from millrace.videos
where tenant_id = $1 and id = $2
for no key update`,
);

export interface LockedVideoRow
  extends Columns<Video, 'id' | 'status' | 'original_key' | 'content_type' | 'owner_id' | 'processing'>,
    // None were given.
    NullableColumns<Video, 'languages'> {
  readonly processing: OwnProcessing | null;
}
