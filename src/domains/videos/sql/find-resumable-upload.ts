import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Upload, Video } from '../../../generated/prisma/client.ts';

/**
 * A resumable upload that has not expired. Crosses tenants: the caller holds a signed URL for it. Locks
 * nothing.
 * Indexes: uploads_pkey, videos_pkey.
 */
export const findResumableUpload = statement(
  'find_resumable_upload',
  `
select u.id, u.tenant_id, u.video_id, u.size_bytes, u.content_type, u.metadata, u.store_state, u.completed_at, u.expires_at,
       v.original_key
from millrace.uploads u join millrace.videos v on v.id = u.video_id
where u.id = $1 and u.expires_at > clock_timestamp()`,
);

export interface ResumableUploadRow
  extends Columns<
      Upload,
      | 'id'
      | 'tenant_id'
      | 'video_id'
      | 'size_bytes'
      | 'content_type'
      | 'metadata'
      | 'store_state'
      | 'completed_at'
      | 'expires_at'
    >,
    Columns<Video, 'original_key'> {
  readonly store_state: Readonly<Record<string, unknown>>;
}
