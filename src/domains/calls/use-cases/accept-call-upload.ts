import type { JobsDeps } from '../../../jobs/deps.ts';
import { requireAwaiting } from '../../../media-files/awaiting-upload.ts';
import { requireRoom } from '../../../media-files/storage-quota.ts';
import { callOfRecording } from '../../../storage/call-keys.ts';
import { type CallUploadRow, findCallUpload } from '../sql/find-call-upload.ts';
import { type LockedCallRow, lockCall } from '../sql/lock-call.ts';

/** The call that a file is put for, and how it is taken in. */
export interface CallUpload {
  /** How many bytes may come. @throws DomainError `QuotaExceeded` */
  roomBytes(sizeBytes: number | null): Promise<number>;
  /**
   * Gives the file its name while the call is held as awaiting it. @throws DomainError `NotFound`
   * `WrongState`
   */
  publish(publish: () => Promise<void>): Promise<void>;
}

/**
 * The upload of a recording; null for a key that is no recording's.
 * @throws DomainError `NotFound` `WrongState` (its upload is completed)
 */
export async function findCallRecordingUpload(
  deps: Pick<JobsDeps, 'db' | 'config'>,
  key: string,
): Promise<CallUpload | null> {
  const callId = callOfRecording(key);
  if (callId === null) return null;
  const { rows } = await deps.db.asWorker<CallUploadRow>(findCallUpload, [callId, key]);
  requireAwaiting(rows[0], 'call', 'recording');
  const tenantId = rows[0].tenant_id;
  return {
    roomBytes: (sizeBytes) =>
      deps.db.transaction({ role: 'api', tenantId }, (tx) =>
        requireRoom(tx, deps.config, { tenantId, uploadOf: callId, sizeBytes, field: 'content-length' }),
      ),
    publish: async (publish) => {
      await deps.db.transaction({ role: 'api', tenantId }, async (tx) => {
        const held = await tx.query<LockedCallRow>(lockCall, [tenantId, callId]);
        requireAwaiting(held.rows[0], 'call', 'recording');
        await publish();
      });
    },
  };
}
