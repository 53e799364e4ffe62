import { pipelineDedupeKey } from '../../../core/pipelines/dedupe-key.ts';
import type { EnqueueResult } from '../../../core/queue.ts';
import type { Transaction } from '../../../db/database.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { extractAudio } from '../definitions/extract-audio.ts';

/** The first job of a call, in the transaction that says that its recording is there. */
export async function enqueueExtract(
  { queue }: Pick<JobsDeps, 'queue'>,
  tx: Transaction,
  tenantId: string,
  call: {
    readonly id: string;
    readonly recordingKey: string | null;
    readonly sourceUrl: string | null;
    readonly keepRecording: boolean;
    readonly language: string | null;
    readonly speakerCount: number;
    readonly createdBy: string;
  },
): Promise<EnqueueResult> {
  const [result] = await queue.enqueueIn(tx, tenantId, [
    {
      definitionKey: extractAudio.key,
      payload: {
        call_id: call.id,
        ...(call.recordingKey === null
          ? { source_url: call.sourceUrl }
          : { recording_path: call.recordingKey }),
        keep_recording: call.keepRecording,
        ...(call.language !== null && { language: call.language }),
        ...(call.speakerCount > 0 && { speaker_count: call.speakerCount }),
      },
      dedupeKey: pipelineDedupeKey(extractAudio.key, call.id),
      subject: { type: 'call', id: call.id },
      correlationId: `call:${call.id}`,
      createdBy: call.createdBy,
    },
  ]);
  return result as EnqueueResult;
}
