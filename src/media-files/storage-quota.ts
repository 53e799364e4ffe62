import { DomainError } from '../core/errors.ts';
import type { Transaction } from '../db/database.ts';
import { lockStorage } from '../db/sql/media-files/lock-storage.ts';
import { readStorageUse, type StorageUseRow } from '../db/sql/media-files/read-storage-use.ts';
import type { JobsDeps } from '../jobs/deps.ts';

export type QuotaConfig = Pick<JobsDeps['config'], 'tenantStorageBytes' | 'signedUrlSeconds'>;

/** What a tenant keeps in the store. */
export interface StorageUse {
  /**
   * Originals, the streams and pictures that are made of them, clips, recordings of calls, and files of jobs.
   */
  readonly usedBytes: number;
  /** Bytes of uploads that run, or whose URL is still valid. */
  readonly reservedBytes: number;
  /** Null: no limit. */
  readonly limitBytes: number | null;
}

/** @param row of `read_storage_use`; undefined when the tenant is gone */
export function storageUseOf(
  row: StorageUseRow | undefined,
  { tenantStorageBytes }: QuotaConfig,
): StorageUse {
  const general = tenantStorageBytes === 0 ? null : tenantStorageBytes;
  const own = row?.max_stored_bytes ?? null;
  return {
    usedBytes: Number(row?.used_bytes ?? 0),
    reservedBytes: Number(row?.reserved_bytes ?? 0),
    limitBytes: own === null ? general : Number(own),
  };
}

/**
 * Makes sure that the tenant has room for an upload, and that nobody else takes it before the transaction
 * ends.
 * @param sizeBytes null where nobody says how large it is: one byte must fit
 * @returns how many bytes may come
 * @throws DomainError `QuotaExceeded`
 */
export async function requireRoom(
  tx: Transaction,
  config: QuotaConfig,
  upload: {
    readonly tenantId: string;
    /** The video or call whose upload it is: what is kept for that is not in its own way. */
    readonly uploadOf: string | null;
    readonly sizeBytes: number | null;
    readonly field: string;
  },
): Promise<number> {
  await tx.query(lockStorage, [upload.tenantId]);
  const { tenantId, uploadOf } = upload;
  const { rows } = await tx.query<StorageUseRow>(readStorageUse, [
    tenantId,
    uploadOf,
    config.signedUrlSeconds,
  ]);
  const use = storageUseOf(rows[0], config);
  if (use.limitBytes === null) return Number.POSITIVE_INFINITY;
  const leftBytes = Math.max(0, use.limitBytes - use.usedBytes - use.reservedBytes);
  if (leftBytes > 0 && (upload.sizeBytes ?? 1) <= leftBytes) return leftBytes;
  const allowed = `at most ${leftBytes} bytes, until something is deleted or an operator raises the limit`;
  const taken = `${use.usedBytes + use.reservedBytes} of ${use.limitBytes} bytes are taken`;
  throw new DomainError('QuotaExceeded', `The tenant's storage has no room for it: ${taken}.`, {
    field: upload.field,
    allowed,
    limit: use.limitBytes,
    actual: use.usedBytes + use.reservedBytes + (upload.sizeBytes ?? 1),
  });
}
