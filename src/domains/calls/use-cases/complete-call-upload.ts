import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { completeUpload, type UploadCompletion } from '../../../media-files/complete-upload.ts';
import { requireRoomForFile } from '../../../media-files/uploaded-file.ts';
import { extractAudio } from '../definitions/extract-audio.ts';
import { type LockedCallRow, lockCall } from '../sql/lock-call.ts';
import { recordCallUpload } from '../sql/record-call-upload.ts';
import { enqueueExtract } from './enqueue-extract.ts';
import type { SubmittedCall } from './submit-call.ts';

/**
 * Says that the recording of a call is uploaded; its first job is enqueued in the same transaction. Calling
 * it again changes nothing.
 * @throws DomainError `NotFound` `ObjectNotFound` `InvalidArgument` (an empty file) `ObjectTooLarge`
 *   `QuotaExceeded` `DefinitionInactive`
 */
export const completeCallUpload = defineUseCase(
  { name: 'completeCallUpload', role: 'member', scope: 'videos:write', toDo: 'submit calls' },
  async (
    deps: Pick<JobsDeps, 'db' | 'queue' | 'store' | 'config'>,
    actor: Caller,
    callId: string,
  ): Promise<SubmittedCall> => {
    const { tenantId } = actor;
    const completion: UploadCompletion<LockedCallRow> = {
      kind: 'call',
      file: 'recording',
      lock: lockCall,
      firstStage: extractAudio.key,
      keyOf: (call) => call.recording_key as string,
      finish: async (tx, call, { sizeBytes }) => {
        await tx.query(recordCallUpload, [tenantId, callId, sizeBytes]);
        return await enqueueExtract(deps, tx, tenantId, {
          id: callId,
          recordingKey: call.recording_key,
          sourceUrl: null,
          keepRecording: call.keep_recording,
          language: call.language,
          speakerCount: call.speakers.length,
          createdBy: actor.name,
        });
      },
    };
    return completeUpload(deps, completion, {
      ...{ tenantId, id: callId, field: 'callId' },
      checkRoom: (tx, file, sizeBytes) => requireRoomForFile(tx, deps, file, sizeBytes),
      outcomeOf: ({ jobId }) => ({ callId, jobId, upload: null }),
    });
  },
);
