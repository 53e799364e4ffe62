import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Upload, Video } from '../../../generated/prisma/client.ts';

/**
 * Up to $1 uploads whose time is up and that nobody adds to, oldest first. Crosses tenants. Locks them until
 * the transaction ends; steps over those that somebody holds. Index: uploads_expiry_idx.
 */
export const lockExpiredUploads = statement(
  'lock_expired_uploads',
  `
select u.id, u.store_state, u.completed_at, v.original_key
from millrace.uploads u join millrace.videos v on v.id = u.video_id
where u.expires_at <= clock_timestamp() and (u.held_until is null or u.held_until < clock_timestamp())
order by u.expires_at
limit $1
for update of u skip locked`,
);

export interface ExpiredUploadRow
  extends Columns<Upload, 'id' | 'store_state' | 'completed_at'>,
    Columns<Video, 'original_key'> {
  readonly store_state: Readonly<Record<string, unknown>>;
}
