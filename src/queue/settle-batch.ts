import type { FinishResult } from '../core/queue.ts';
import type { Database } from '../db/database.ts';
import { refusesData, sqlState } from '../db/retryable.ts';
import { type SettledRow, settleRuns } from '../db/sql/queue/settle-runs.ts';
import { type SettleItem, settleParameters } from './settle-items.ts';

/** Rows that one settling statement takes. */
const MAX_ITEMS = 500;
const LOCK_NOT_AVAILABLE = '55P03';

interface Waiting {
  readonly item: SettleItem;
  readonly resolve: (result: FinishResult | Promise<FinishResult>) => void;
  readonly reject: (error: unknown) => void;
}

export interface SettleBatchOptions {
  /** Told of what each statement moved, after its commit. */
  readonly onMoved: (moved: readonly SettleItem[], released: SettledRow['released']) => void;
  /** Says of a run that was not moved why: its lease did not match, or a cancel stood in the way. */
  readonly whyNotMoved: (item: SettleItem) => Promise<FinishResult>;
}

/**
 * Settles runs that have no domain rows, artifacts or next jobs in shared statements. No timer: the first goes at once, those
 * that end while it is under way form the next batch, so one job alone waits for nobody.
 * A batch that fails with a data error is halved down to the one item, which alone gets the error.
 */
export class SettleBatch {
  readonly #db: Database;
  readonly #options: SettleBatchOptions;
  #waiting: Waiting[] = [];
  #running = false;

  constructor(db: Database, options: SettleBatchOptions) {
    this.#db = db;
    this.#options = options;
  }

  /** Settles nothing. */
  async warmUp(): Promise<void> {
    await this.#db.asWorker(settleRuns, settleParameters([]));
  }

  settle(item: SettleItem): Promise<FinishResult> {
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
      const items = batch.map(({ item }) => item);
      const { rows } = await this.#db.asWorker<SettledRow>(settleRuns, settleParameters(items));
      const { kept, released } = rows[0] as SettledRow;
      const moved: SettleItem[] = [];
      for (const { item, resolve } of batch) {
        if (kept?.includes(item.lease.jobId) === true) {
          resolve(this.#options.whyNotMoved(item));
        } else {
          moved.push(item);
          resolve('settled');
        }
      }
      this.#options.onMoved(moved, released);
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
