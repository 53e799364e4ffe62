import { isUuid } from '../../../core/ids.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { requireAwaiting } from '../../../media-files/awaiting-upload.ts';
import { findUploadTarget, type UploadTargetRow } from '../sql/find-upload-target.ts';
import { type LockedVideoRow, lockVideo } from '../sql/lock-video.ts';

/** A video that waits for its original. */
export interface UploadTarget {
  readonly tenantId: string;
  readonly videoId: string;
}

/**
 * The video that an object under this key would be the original of. A signed URL outlives the upload that it
 * was made for.
 * @throws DomainError `NotFound` when there is no such video, `WrongState` when its upload is completed
 */
export async function findUpload(deps: Pick<JobsDeps, 'db'>, key: string): Promise<UploadTarget> {
  const videoId = key.split('/')[2] ?? '';
  const row = isUuid(videoId)
    ? (await deps.db.asWorker<UploadTargetRow>(findUploadTarget, [videoId, key])).rows[0]
    : undefined;
  requireAwaiting(row, 'video', 'original');
  return { tenantId: row.tenant_id, videoId };
}

/**
 * Publishes an uploaded file while its video is held as awaiting it: a body may take an hour, and once the
 * upload is completed the original is being read. The lock is the completion's own, so one of them comes
 * first and the other sees it.
 * @param publish may be called more than once and then does nothing
 * @throws DomainError `NotFound` `WrongState`; nothing is published then
 */
export async function publishUpload(
  deps: Pick<JobsDeps, 'db'>,
  { tenantId, videoId }: UploadTarget,
  publish: () => Promise<void>,
): Promise<void> {
  await deps.db.transaction({ role: 'api', tenantId }, async (tx) => {
    const { rows } = await tx.query<LockedVideoRow>(lockVideo, [tenantId, videoId]);
    requireAwaiting(rows[0], 'video', 'original');
    await publish();
  });
}
