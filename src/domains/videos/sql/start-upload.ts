import type { Columns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import type { Upload } from '../../../generated/prisma/client.ts';

/**
 * Begins the resumable upload of a video, in place of an earlier one that nobody adds to, unless its original
 * is being put. The transaction holds the video (lock_video). Locks the row. Indexes: uploads_video_id_key,
 * video_puts_pkey.
 */
export const startUpload = statement(
  'start_upload',
  `
insert into millrace.uploads as u (tenant_id, video_id, size_bytes, content_type, metadata, store_state, expires_at)
select $1::uuid, $2::uuid, $3::bigint, $4::text, $5::text, $6::jsonb, clock_timestamp() + make_interval(secs => $7)
where not exists (select from millrace.video_puts p where p.video_id = $2 and p.held_until > clock_timestamp())
on conflict (video_id) do update
set id = uuidv7(), size_bytes = excluded.size_bytes, content_type = excluded.content_type, metadata = excluded.metadata,
    store_state = excluded.store_state, held_by = null, held_until = null, is_wanted = false, completed_at = null,
    expires_at = excluded.expires_at, created_at = now()
where u.tenant_id = excluded.tenant_id and (u.held_until is null or u.held_until < clock_timestamp())
returning id, expires_at`,
);

/** No row: somebody adds to the earlier one just now. */
export type StartedUploadRow = Columns<Upload, 'id' | 'expires_at'>;
