import type { EnqueueResult } from '../../../core/queue.ts';
import type { Transaction } from '../../../db/database.ts';
import { requireGoodFile } from '../../../media-files/uploaded-file.ts';
import type { ObjectStat } from '../../../storage/object-store.ts';
import type { LockedVideoRow } from '../sql/lock-video.ts';
import { recordUpload } from '../sql/record-upload.ts';
import { type EnqueueDeps, enqueueTranscode } from './enqueue-transcode.ts';

/** An original that is in the store, and the locked row of the video that waits for it. */
export interface FinishedUpload {
  readonly tenantId: string;
  readonly video: LockedVideoRow;
  readonly object: ObjectStat;
  /** Null: the creator of the video. */
  readonly createdBy: string | null;
}

/**
 * The one way in which an upload ends, at the word of a client or of the scanner: records the original and
 * enqueues the first stage, inside the caller's transaction, which holds the video.
 * @throws DomainError as `requireGoodFile` and `enqueueIn`
 */
export async function finishUpload(
  deps: EnqueueDeps,
  tx: Transaction,
  { tenantId, video, object, createdBy }: FinishedUpload,
  maxUploadBytes: number,
): Promise<EnqueueResult> {
  requireGoodFile(object, { kind: 'video', id: video.id, field: 'id' }, maxUploadBytes);
  await tx.query(recordUpload, [tenantId, video.id, object.sizeBytes, object.contentType]);
  return await enqueueTranscode(deps, tx, uploadedVideoOf(tenantId, video, createdBy));
}

/** What the first stage is given. */
export function uploadedVideoOf(tenantId: string, video: LockedVideoRow, createdBy: string | null) {
  return {
    tenantId,
    videoId: video.id,
    originalKey: video.original_key,
    languages: video.languages,
    processing: video.processing,
    createdBy: createdBy ?? video.owner_id ?? 'system',
  };
}
