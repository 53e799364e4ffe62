import { DomainError } from '../core/errors.ts';
import type { Transaction } from '../db/database.ts';
import type { JobsDeps } from '../jobs/deps.ts';
import type { ObjectStat } from '../storage/object-store.ts';
import { requireRoom } from './storage-quota.ts';

/** A file that an upload URL was signed for. */
export interface ExpectedFile {
  /** What waits for it: `video`, `call`. */
  readonly kind: string;
  readonly id: string;
  readonly tenantId: string;
  /** What the file is to it: `original`, `recording`. */
  readonly file: string;
  readonly key: string;
  /** What the caller calls the id. */
  readonly field: string;
}

type Deps = Pick<JobsDeps, 'store'> & { readonly config: Pick<JobsDeps['config'], 'maxUploadBytes'> };

/**
 * What was uploaded. A file that is empty or too large is deleted at once: a bucket takes no second one while
 * the first is there.
 * @throws DomainError `ObjectNotFound` (nothing uploaded yet) `InvalidArgument` (an empty file)
 *   `ObjectTooLarge`
 */
export async function uploadedFile({ store, config }: Deps, expected: ExpectedFile): Promise<ObjectStat> {
  const { kind, id, file, key, field } = expected;
  const object = await store.stat(key);
  if (object === null)
    throw new DomainError('ObjectNotFound', `Nothing has been uploaded for ${kind} ${id} yet.`, {
      field,
      allowed: `a ${kind} whose ${file} has been put to its upload URL`,
    });
  try {
    requireGoodFile(object, expected, config.maxUploadBytes);
  } catch (error) {
    await store.delete(key);
    throw error;
  }
  return object;
}

/**
 * A bucket takes more than is allowed where the size was not named beforehand.
 * @throws DomainError `InvalidArgument` (an empty file) `ObjectTooLarge`
 */
export function requireGoodFile(
  { sizeBytes }: ObjectStat,
  { kind, id, field }: Pick<ExpectedFile, 'kind' | 'id' | 'field'>,
  maxUploadBytes: number,
): void {
  if (sizeBytes === 0)
    throw new DomainError('InvalidArgument', `The upload for ${kind} ${id} is empty.`, {
      field,
      allowed: 'a file of at least 1 byte; put it again, then complete',
    });
  if (sizeBytes <= maxUploadBytes) return;
  const allowed = `at most ${maxUploadBytes} bytes`;
  const message = `The upload for ${kind} ${id} has ${sizeBytes} bytes; allowed: ${allowed}.`;
  throw new DomainError('ObjectTooLarge', message, { field, allowed });
}

/**
 * A bucket takes a file whose size was not declared, or whose URL has expired, without asking here: one that
 * does not fit is deleted again.
 * @throws DomainError `QuotaExceeded`
 */
export async function requireRoomForFile(
  tx: Transaction,
  { store, config }: Pick<JobsDeps, 'store' | 'config'>,
  { tenantId, id, key, field }: ExpectedFile,
  sizeBytes: number,
): Promise<void> {
  try {
    await requireRoom(tx, config, { tenantId, uploadOf: id, sizeBytes, field });
  } catch (error) {
    if (error instanceof DomainError && error.code === 'QuotaExceeded') await store.delete(key);
    throw error;
  }
}
