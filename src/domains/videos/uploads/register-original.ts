import type { EnqueueResult } from '../../../core/queue.ts';
import type { Transaction } from '../../../db/database.ts';
import { insertOriginal } from '../sql/insert-original.ts';
import { type EnqueueDeps, enqueueTranscode, type UploadedVideo } from './enqueue-transcode.ts';

/** An original that is in the store, and what its video is going to be. */
export interface NewOriginal extends UploadedVideo {
  readonly title: string;
  readonly teamId?: string | null | undefined;
  readonly contentType: string;
  readonly sizeBytes: number;
}

/**
 * Makes the video of an original and enqueues the first stage of its pipeline, inside the caller's
 * transaction.
 * @returns null when there is a video of that id already; nothing is written then
 * @throws DomainError as `enqueueIn`
 */
export async function registerOriginal(
  deps: EnqueueDeps,
  tx: Transaction,
  original: NewOriginal,
): Promise<EnqueueResult | null> {
  const { rowCount } = await tx.query(insertOriginal, [
    original.videoId,
    original.tenantId,
    original.createdBy,
    original.title,
    original.contentType,
    original.originalKey,
    original.sizeBytes,
    original.languages,
    original.teamId ?? null,
    original.processing == null ? null : JSON.stringify(original.processing),
  ]);
  return rowCount === 0 ? null : enqueueTranscode(deps, tx, original);
}
