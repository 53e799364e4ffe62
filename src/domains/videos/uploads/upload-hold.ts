import { randomUUID } from 'node:crypto';
import type { Database } from '../../../db/database.ts';
import type { PartialState } from '../../../storage/partial-store.ts';
import { type HeldUploadRow, holdUpload } from '../sql/hold-upload.ts';
import { releaseUpload } from '../sql/release-upload.ts';
import { type RenewedUploadRow, renewUpload } from '../sql/renew-upload.ts';

/**
 * How long a holder that says nothing is believed: as long as an upload waits after a process that was
 * killed.
 */
export const HOLD_SECONDS = 12;
const RENEW_MS = 2_000;

/**
 * The right to add to a resumable upload, which one request of all processes has at a time. It is renewed in
 * the background; once the last renewal is too old the signal fires, before another one can have it.
 */
export class UploadHold {
  readonly #db: Database;
  readonly #uploadId: string;
  readonly #holder = randomUUID();
  readonly #lost = new AbortController();
  readonly #onWanted: () => void;
  #state: PartialState;
  #deadline: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> = Promise.resolve();

  private constructor(db: Database, uploadId: string, onWanted: () => void) {
    this.#db = db;
    this.#uploadId = uploadId;
    this.#onWanted = onWanted;
    this.#state = {};
  }

  /**
   * @param onWanted somebody else waits for it: called at most at each renewal
   * @returns null when another one has it, or there is no such upload any more
   */
  static async take(db: Database, uploadId: string, onWanted: () => void): Promise<UploadHold | null> {
    const hold = new UploadHold(db, uploadId, onWanted);
    const startMs = performance.now();
    const { rows } = await db.asWorker<HeldUploadRow>(holdUpload, [uploadId, hold.#holder, HOLD_SECONDS]);
    if (rows[0] === undefined) return null;
    hold.#state = rows[0].store_state;
    hold.#believeFrom(startMs);
    hold.#timer = setInterval(() => hold.#renewQuietly(), RENEW_MS);
    return hold;
  }

  /** What the store has to remember, as it was last saved. */
  get state(): PartialState {
    return this.#state;
  }

  /** Fires when this is no longer the holder: write nothing more. */
  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  /** Keeps what the store has to remember. @throws when the hold is lost */
  async save(state: PartialState): Promise<void> {
    await this.#renew(state);
    this.#lost.signal.throwIfAborted();
    this.#state = state;
  }

  /** Gives it back. @param isComplete the upload has ended with it */
  async release(isComplete: boolean): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing;
    clearTimeout(this.#deadline);
    await this.#db.asWorker(releaseUpload, [this.#uploadId, this.#holder, isComplete]);
  }

  #renewQuietly(): void {
    // The database is away: the deadline says when that is too long.
    this.#renewing = this.#renew(null).catch(() => undefined);
  }

  async #renew(state: PartialState | null): Promise<void> {
    const startMs = performance.now();
    const { rows } = await this.#db.asWorker<RenewedUploadRow>(renewUpload, [
      this.#uploadId,
      this.#holder,
      HOLD_SECONDS,
      state === null ? null : JSON.stringify(state),
    ]);
    if (rows[0] === undefined) return this.#lose();
    this.#believeFrom(startMs);
    if (rows[0].is_wanted) this.#onWanted();
  }

  #believeFrom(startMs: number): void {
    clearTimeout(this.#deadline);
    // A second less than the others wait.
    const leftMs = startMs + (HOLD_SECONDS - 1) * 1_000 - performance.now();
    this.#deadline = setTimeout(() => this.#lose(), Math.max(0, leftMs));
  }

  #lose(): void {
    this.#lost.abort(new Error('Another request goes on with this upload'));
  }
}
