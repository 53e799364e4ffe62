import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Clip } from '../../../generated/prisma/client.ts';

/**
 * Up to $1 clips whose time is up, oldest first. Crosses tenants. Locks them until the transaction ends, so
 * that nobody asks for them again while their files are being deleted; steps over those that somebody
 * holds. Index: clips_expiry_idx.
 */
export const lockExpiredClips = statement(
  'lock_expired_clips',
  `
select id, tenant_id, video_id, call_id from millrace.clips
where status in ('ready', 'failed') and expires_at <= clock_timestamp()
order by expires_at
limit $1
for no key update skip locked`,
);

export type ExpiredClipRow = Columns<Clip, 'id' | 'tenant_id' | 'video_id' | 'call_id'>;
