import { isUuid } from '../core/ids.ts';
import { findUploadTarget } from '../db/sql/domain/find-upload-target.ts';
import type { JobsDeps } from './deps.ts';

/**
 * Whether an object may still be put under a key. A signed URL outlives the upload that it was made for; once the upload is
 * completed its original is being read, and nobody may change it under the reader.
 */
export async function acceptsUpload(deps: Pick<JobsDeps, 'db'>, key: string): Promise<boolean> {
  const videoId = key.split('/')[2] ?? '';
  if (!isUuid(videoId)) return false;
  const { rows } = await deps.db.asWorker<{ status: string }>(findUploadTarget, [videoId, key]);
  return rows[0]?.status === 'awaiting_upload';
}
