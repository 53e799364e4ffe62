import { statement } from '../../../db/statement.ts';

/**
 * A resumable upload that has not expired. Crosses tenants: the caller holds a signed URL for it. Locks nothing.
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

export interface ResumableUploadRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly video_id: string;
  /** A bigint, as text. */
  readonly size_bytes: string;
  readonly content_type: string | null;
  readonly metadata: string;
  readonly store_state: Readonly<Record<string, unknown>>;
  readonly completed_at: Date | null;
  readonly expires_at: Date;
  readonly original_key: string;
}
