import { pipelineDedupeKey } from '../../../core/pipelines/dedupe-key.ts';
import type { EnqueueResult } from '../../../core/queue.ts';
import type { Transaction } from '../../../db/database.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { transcode } from '../definitions/transcode.ts';
import { type OwnProcessing, processingPayload } from '../pipeline/processing.ts';
import { transcodePayload } from '../pipeline/video.ts';

/** What enqueues a job in a transaction that the caller holds. */
export interface EnqueueDeps {
  readonly queue: Pick<JobsDeps['queue'], 'enqueueIn'>;
}

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
 * Enqueues the first stage of a video's pipeline inside the caller's transaction; one that is active already
 * is returned.
 * @throws DomainError as `enqueueIn`
 */
export async function enqueueTranscode(
  { queue }: EnqueueDeps,
  tx: Transaction,
  video: UploadedVideo,
): Promise<EnqueueResult> {
  const [result] = await queue.enqueueIn(tx, video.tenantId, [
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
