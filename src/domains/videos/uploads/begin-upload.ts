import type { DomainError } from '../../../core/errors.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { requireAwaiting } from '../../../media-files/awaiting-upload.ts';
import { requireRoom } from '../../../media-files/storage-quota.ts';
import { contentTypeOfKey } from '../../../storage/content-type.ts';
import type { PartialPlan, PartialState } from '../../../storage/partial-store.ts';
import type { UploadGrant } from '../../../storage/upload-token.ts';
import type { UploadUrl } from '../../../storage/upload-urls.ts';
import { findUploadOfVideo, type UploadOfVideoRow } from '../sql/find-upload-of-video.ts';
import { type LockedVideoRow, lockVideo } from '../sql/lock-video.ts';
import { type StartedUploadRow, startUpload } from '../sql/start-upload.ts';
import { findUpload } from './accept-upload.ts';
import { tooLarge, uploadLocked } from './upload-errors.ts';

export interface UploadBeginning {
  readonly sizeBytes: number;
  /** Returned as it came. */
  readonly metadata: string;
}

export interface BegunUpload extends UploadUrl {
  readonly uploadId: string;
}

/**
 * Begins the resumable upload of a video's original, in place of an earlier one that was not ended.
 * @throws DomainError `ObjectTooLarge` `NotFound` `WrongState` (its upload is completed) `Busy` (an earlier
 *   one is going on) `QuotaExceeded`
 */
export async function beginUpload(
  deps: Pick<JobsDeps, 'db' | 'partials' | 'uploadUrls' | 'config'>,
  grant: Extract<UploadGrant, { readonly action: 'begin' }>,
  { sizeBytes, metadata }: UploadBeginning,
): Promise<BegunUpload> {
  const { db, partials, uploadUrls, config } = deps;
  if (sizeBytes > grant.maxSizeBytes) throw tooLarge('upload-length', grant.maxSizeBytes);
  const { tenantId, videoId } = await findUpload(deps, grant.key);
  const contentType = grant.contentType ?? contentTypeOfKey(grant.key);
  const plan: PartialPlan = { key: grant.key, sizeBytes, contentType };
  const state = await partials.begin(plan);
  const lifeSeconds = config.uploadHours * 3600;
  let begun: { readonly id: string; readonly replaced: PartialState | null };
  try {
    begun = await db.transaction({ role: 'api', tenantId }, async (tx) => {
      const { rows } = await tx.query<LockedVideoRow>(lockVideo, [tenantId, videoId]);
      requireAwaiting(rows[0], 'video', 'original');
      await requireRoom(tx, config, { tenantId, uploadOf: videoId, sizeBytes, field: 'upload-length' });
      const before = await tx.query<UploadOfVideoRow>(findUploadOfVideo, [tenantId, videoId]);
      const values = [tenantId, videoId, sizeBytes, grant.contentType, metadata, JSON.stringify(state)];
      const started = await tx.query<StartedUploadRow>(startUpload, [...values, lifeSeconds]);
      if (started.rows[0] === undefined) throw uploadLocked();
      return { id: started.rows[0].id, replaced: before.rows[0]?.store_state ?? null };
    });
  } catch (error) {
    await partials.discard(plan, state);
    throw error as DomainError;
  }
  if (begun.replaced !== null) await partials.discard(plan, begun.replaced);
  return { uploadId: begun.id, ...uploadUrls.sign({ action: 'resume', uploadId: begun.id }, lifeSeconds) };
}
