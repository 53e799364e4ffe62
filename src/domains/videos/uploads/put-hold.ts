import { randomUUID } from 'node:crypto';
import type { Database } from '../../../db/database.ts';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { requireRoom } from '../../../media-files/storage-quota.ts';
import { holdPut } from '../sql/hold-put.ts';
import { releasePut } from '../sql/release-put.ts';
import { renewPut } from '../sql/renew-put.ts';
import type { UploadTarget } from './accept-upload.ts';
import { uploadLocked } from './upload-errors.ts';

/**
 * How long a holder that says nothing is believed: so long the next upload waits after a process that was
 * killed.
 */
const HOLD_SECONDS = 12;
const RENEW_MS = 3_000;

/**
 * The right to put the original of a video, which one request of all processes has at a time, with the room
 * that it needs.
 */
export class PutHold {
  readonly #db: Database;
  readonly #videoId: string;
  readonly #holder: string;
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #believedUntilMs: number;
  #renewing: Promise<void> = Promise.resolve();
  /** How many bytes may come. */
  readonly maxSizeBytes: number;

  private constructor(db: Database, videoId: string, holder: string, maxSizeBytes: number) {
    this.#db = db;
    this.#videoId = videoId;
    this.#holder = holder;
    this.maxSizeBytes = maxSizeBytes;
    this.#believedUntilMs = performance.now() + 1_000 * (HOLD_SECONDS - 1);
    this.#timer = setInterval(() => {
      this.#renewing = this.#renew();
    }, RENEW_MS);
  }

  /**
   * @param sizeBytes as the client says; null where it does not
   * @param maxSizeBytes that were signed
   * @throws DomainError `Busy` (another request uploads this video) `QuotaExceeded`
   */
  static async take(
    { db, config }: Pick<JobsDeps, 'db' | 'config'>,
    { tenantId, videoId }: UploadTarget,
    sizeBytes: number | null,
    maxSizeBytes: number,
  ): Promise<PutHold> {
    const holder = randomUUID();
    const grantedBytes = await db.transaction({ role: 'worker' }, async (tx) => {
      const asked = { tenantId, uploadOf: videoId, sizeBytes, field: 'content-length' };
      const roomBytes = await requireRoom(tx, config, asked);
      const bytes = Math.min(sizeBytes ?? maxSizeBytes, roomBytes);
      const { rows } = await tx.query(holdPut, [tenantId, videoId, bytes, holder, HOLD_SECONDS]);
      if (rows[0] === undefined) throw uploadLocked();
      return bytes;
    });
    return new PutHold(db, videoId, holder, grantedBytes);
  }

  /** Fires when another request may have it: write nothing more. */
  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  /** Gives it back. @param storedBytes what lies in the store by it; null when nothing does */
  async release(storedBytes: number | null): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing;
    await this.#db.asWorker(releasePut, [this.#videoId, this.#holder, storedBytes]);
  }

  async #renew(): Promise<void> {
    const startMs = performance.now();
    try {
      const { rows } = await this.#db.asWorker(renewPut, [this.#videoId, this.#holder, HOLD_SECONDS]);
      if (rows[0] === undefined) this.#lose();
      else this.#believedUntilMs = startMs + 1_000 * (HOLD_SECONDS - 1);
    } catch {
      // The database is away: believed for a while.
      if (performance.now() > this.#believedUntilMs) this.#lose();
    }
  }

  #lose(): void {
    this.#lost.abort(uploadLocked());
  }
}
