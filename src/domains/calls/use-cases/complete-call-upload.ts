import type { Caller } from '../../../access/caller.ts';
import { defineUseCase } from '../../../access/use-case.ts';
import { DomainError } from '../../../core/errors.ts';
import type { EnqueueResult } from '../../../core/queue.ts';
import type { Transaction } from '../../../db/database.ts';
import { recordOutcome } from '../../../db/outcome-record.ts';
import { findNewestJobOfSubject } from '../../../db/sql/read/find-newest-job-of-subject.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { notFound } from '../../../jobs/not-found.ts';
import { requireRoom } from '../../videos/uploads/storage-quota.ts';
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
    const enqueued: EnqueueResult[] = [];
    const jobId = await deps.db.transaction({ role: 'api', tenantId }, async (tx) => {
      enqueued.length = 0;
      const { rows } = await tx.query<LockedCallRow>(lockCall, [tenantId, callId]);
      const call = rows[0];
      if (call === undefined) throw notFound('call', callId);
      if (call.status !== 'awaiting_upload') {
        const values = [tenantId, 'call', callId, extractAudio.key];
        const before = (await tx.query<{ id: string }>(findNewestJobOfSubject, values)).rows[0]?.id ?? null;
        await recordOutcome(tx, { callId, jobId: before, upload: null });
        return before;
      }
      const key = call.recording_key as string;
      const sizeBytes = await uploadedBytes(deps, key, callId);
      await requireRoomFor(tx, deps, { tenantId, callId, key, sizeBytes });
      await tx.query(recordCallUpload, [tenantId, callId, sizeBytes]);
      const job = await enqueueExtract(deps, tx, tenantId, {
        id: callId,
        recordingKey: call.recording_key,
        sourceUrl: null,
        keepRecording: call.keep_recording,
        language: call.language,
        speakerCount: call.speakers.length,
        createdBy: actor.name,
      });
      enqueued.push(job);
      await recordOutcome(tx, { callId, jobId: job.id, upload: null });
      return job.id;
    });
    deps.queue.notifyEnqueued(enqueued);
    return { callId, jobId, upload: null };
  },
);

/**
 * Nothing is kept free for a recording whose size was not declared, nor once its URL has expired, and a
 * bucket takes it without asking here: one that does not fit is deleted again.
 */
async function requireRoomFor(
  tx: Transaction,
  { store, config }: Pick<JobsDeps, 'store' | 'config'>,
  upload: {
    readonly tenantId: string;
    readonly callId: string;
    readonly key: string;
    readonly sizeBytes: number;
  },
): Promise<void> {
  const { tenantId, callId, key, sizeBytes } = upload;
  try {
    await requireRoom(tx, config, { tenantId, uploadOf: callId, sizeBytes, field: 'callId' });
  } catch (error) {
    if (error instanceof DomainError && error.code === 'QuotaExceeded') await store.delete(key);
    throw error;
  }
}

async function uploadedBytes(
  { store, config }: Pick<JobsDeps, 'store' | 'config'>,
  key: string,
  callId: string,
): Promise<number> {
  const object = await store.stat(key);
  if (object === null)
    throw new DomainError('ObjectNotFound', `Nothing has been uploaded for call ${callId} yet.`, {
      field: 'callId',
      allowed: 'a call whose recording has been put to its upload URL',
    });
  const { maxUploadBytes } = config;
  if (object.sizeBytes > 0 && object.sizeBytes <= maxUploadBytes) return object.sizeBytes;
  await store.delete(key);
  if (object.sizeBytes === 0)
    throw new DomainError('InvalidArgument', `The upload for call ${callId} is empty.`, {
      field: 'callId',
      allowed: 'a file of at least 1 byte; put it again, then complete',
    });
  const allowed = `at most ${maxUploadBytes} bytes`;
  throw new DomainError(
    'ObjectTooLarge',
    `The upload for call ${callId} is too large; allowed: ${allowed}.`,
    {
      field: 'callId',
      allowed,
    },
  );
}
