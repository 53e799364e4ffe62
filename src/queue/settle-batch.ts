import type { Database } from '../db/database.ts';
import { refusesData, sqlState } from '../db/retryable.ts';
import { type SettledRow, settleJobs } from '../db/sql/queue/settle-jobs.ts';
import { type SettleItem, settleParameters } from './settle-items.ts';

/** Rows that one settling statement takes. */
const MAX_ITEMS = 500;
const LOCK_NOT_AVAILABLE = '55P03';

interface Waiting {
  readonly item: SettleItem;
  readonly resolve: (moved: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Settles runs that have no domain rows, artifacts or next jobs in shared statements. No timer: the first goes at once, those
 * that end while it is under way form the next batch, so one job alone waits for nobody.
 * A batch that fails with a data error is halved down to the one item, which alone gets the error.
 */
export class SettleBatch {
  readonly #db: Database;
  readonly #onSettled: (rows: readonly SettledRow[]) => void;
  #waiting: Waiting[] = [];
  #running = false;

  /** @param onSettled told of what each statement moved, after its commit */
  constructor(db: Database, onSettled: (rows: readonly SettledRow[]) => void) {
    this.#db = db;
    this.#onSettled = onSettled;
  }

  /** True when the row was moved; false when the lease did not match or a cancel stood in the way. */
  settle(item: SettleItem): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#running) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_ITEMS);
      await this.#send(batch);
    }
    this.#running = false;
  }

  async #send(batch: readonly Waiting[]): Promise<void> {
    try {
      const { rows } = await this.#db.asWorker<SettledRow>(
        settleJobs,
        settleParameters(batch.map(({ item }) => item)),
      );
      const moved = new Set(rows.map((row) => row.id));
      this.#onSettled(rows);
      for (const { item, resolve } of batch) resolve(moved.has(item.lease.jobId));
    } catch (error) {
      if (batch.length > 1 && sqlState(error) === LOCK_NOT_AVAILABLE) {
        // One of them is held by somebody's open transaction. Each goes alone, and what comes next does not wait for them.
        for (const waiting of batch) void this.#send([waiting]);
        return;
      }
      if (batch.length === 1 || !refusesData(error)) {
        for (const { reject } of batch) reject(error);
        return;
      }
      const middle = Math.ceil(batch.length / 2);
      await this.#send(batch.slice(0, middle));
      await this.#send(batch.slice(middle));
    }
  }
}
