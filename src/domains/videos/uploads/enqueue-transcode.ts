import { pipelineDedupeKey } from '../../../core/pipelines/dedupe-key.ts';
import type { EnqueueResult } from '../../../core/queue.ts';
import type { Transaction } from '../../../db/database.ts';
import { enqueueIn } from '../../../queue/enqueue.ts';
import { transcode } from '../definitions/transcode.ts';
import { type OwnProcessing, processingPayload } from '../pipeline/processing.ts';
import { transcodePayload } from '../pipeline/video.ts';

/** A video whose original is there. */
export interface UploadedVideo {
  readonly tenantId: string;
  readonly videoId: string;
  readonly originalKey: string;
  readonly languages: readonly string[] | null;
  /** Who is behind the job: `user:<sub>`, `key:<id>` or `system`. */
  readonly createdBy: string;
  /** Its own settings; null: as the installation says. */
  readonly processing?: OwnProcessing | null;
}

/**
 * Enqueues the first stage of a video's pipeline inside the caller's transaction; one that is active already is given back.
 * @throws DomainError as `enqueueIn`
 */
export async function enqueueTranscode(tx: Transaction, video: UploadedVideo): Promise<EnqueueResult> {
  const [result] = await enqueueIn(tx, video.tenantId, [
    {
      definitionKey: transcode.key,
      payload: {
        ...transcodePayload(video.videoId, video.originalKey, video.languages),
        ...processingPayload(video.processing),
      },
      // What a scan has found nobody has asked for.
      source: video.createdBy === 'system' ? 'system' : 'manual',
      dedupeKey: pipelineDedupeKey(transcode.key, video.videoId),
      subject: { type: 'video', id: video.videoId },
      createdBy: video.createdBy,
    },
  ]);
  return result as EnqueueResult;
}
