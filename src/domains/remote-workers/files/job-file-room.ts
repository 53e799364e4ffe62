import type { Job } from '../../../core/job.ts';
import { lockStorage } from '../../../db/sql/media-files/lock-storage.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { requireRoom } from '../../../media-files/storage-quota.ts';
import { holdJobFile } from '../sql/hold-job-file.ts';
import { storeJobFile } from '../sql/store-job-file.ts';
import type { JobFileRun } from '../use-cases/job-file-key.ts';

type Deps = Pick<JobsDeps, 'db' | 'config'>;

/** How long a body may take. */
const UPLOAD_SECONDS = 3_600;

/**
 * Keeps room in the tenant's storage for a file that is about to be uploaded.
 * @param sizeBytes null where nobody says how large it is: one byte must fit, and the upload itself is looked
 *   at again
 * @throws DomainError `QuotaExceeded`
 */
export async function reserveJobFile(
  { db, config }: Deps,
  { tenantId, id: jobId }: Pick<Job, 'tenantId' | 'id'>,
  key: string,
  sizeBytes: number | null,
): Promise<void> {
  await hold({ db, config }, { tenantId, jobId }, key, {
    sizeBytes,
    maxSizeBytes: sizeBytes ?? 0,
    seconds: config.signedUrlSeconds,
    field: 'sizeBytes',
  });
}

/**
 * The same for a body that comes now.
 * @param sizeBytes as the client says; null where it does not
 * @returns how many bytes may come
 * @throws DomainError `QuotaExceeded`
 */
export function holdRoomForJobFile(
  deps: Deps,
  run: JobFileRun,
  key: string,
  { sizeBytes, maxSizeBytes }: { readonly sizeBytes: number | null; readonly maxSizeBytes: number },
): Promise<number> {
  const upload = { sizeBytes, maxSizeBytes, seconds: UPLOAD_SECONDS, field: 'content-length' };
  return hold(deps, run, key, upload);
}

/** Notes how large a file is that lies in the store by now. */
export async function storedJobFile({ db }: Pick<Deps, 'db'>, key: string, sizeBytes: number): Promise<void> {
  await db.asWorker(storeJobFile, [key, sizeBytes]);
}

async function hold(
  { db, config }: Deps,
  { tenantId, jobId }: Pick<JobFileRun, 'tenantId' | 'jobId'>,
  key: string,
  upload: {
    readonly sizeBytes: number | null;
    readonly maxSizeBytes: number;
    readonly seconds: number;
    readonly field: string;
  },
): Promise<number> {
  const { sizeBytes, maxSizeBytes, seconds, field } = upload;
  return db.transaction({ role: 'worker' }, async (tx) => {
    await tx.query(lockStorage, [tenantId]);
    // What was kept for it before is not in its own way.
    await tx.query(holdJobFile, [key, tenantId, jobId, 0, seconds]);
    const roomBytes = await requireRoom(tx, config, { tenantId, uploadOf: null, sizeBytes, field });
    const bytes = Math.min(sizeBytes ?? maxSizeBytes, roomBytes);
    if (bytes > 0) await tx.query(holdJobFile, [key, tenantId, jobId, bytes, seconds]);
    return Math.min(maxSizeBytes, roomBytes);
  });
}
