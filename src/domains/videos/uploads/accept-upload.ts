import { DomainError } from '../../../core/errors.ts';
import { isUuid } from '../../../core/ids.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
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
  if (!isUuid(videoId)) throw noVideo();
  const { rows } = await deps.db.asWorker<UploadTargetRow>(findUploadTarget, [videoId, key]);
  requireAwaiting(rows[0]);
  return { tenantId: rows[0].tenant_id, videoId };
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
    requireAwaiting(rows[0]);
    await publish();
  });
}

/** @throws DomainError `NotFound` `WrongState` */
export function requireAwaiting<Row extends { readonly status: string }>(
  video: Row | undefined,
): asserts video is Row {
  if (video === undefined) throw noVideo();
  if (video.status !== 'awaiting_upload') throw closed();
}

function noVideo(): DomainError {
  return new DomainError('NotFound', 'There is no video that this file would be the original of.');
}

function closed(): DomainError {
  return new DomainError(
    'WrongState',
    'The upload of this video is completed already; its original is not replaced.',
    { allowed: 'a video that awaits its upload' },
  );
}
