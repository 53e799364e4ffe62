import { notifyListener } from '../core/notify-listener.ts';
import type { FinishListener, FinishResult } from '../core/queue.ts';
import type { Database } from '../db/database.ts';
import { refusesData, sqlState } from '../db/retryable.ts';
import { type SettledRow, settleRuns } from '../db/sql/queue/settle-runs.ts';
import { succeedRuns } from '../db/sql/queue/succeed-runs.ts';
import type { Statement } from '../db/statement.ts';
import type { Column } from './columns.ts';
import { isPlainSuccess, type SettleItem, settleParameters, successParameters } from './settle-items.ts';

/** Rows that one settling statement takes. */
const MAX_ITEMS = 500;
const LOCK_NOT_AVAILABLE = '55P03';

interface Waiting {
  readonly item: SettleItem;
  readonly listener: FinishListener;
}

/** What a statement takes, and how it is given them. */
interface Kind {
  readonly statement: Statement;
  readonly parameters: (items: readonly SettleItem[]) => readonly Column[];
  readonly waiting: Waiting[];
}

/** Notifies the listeners of a statement of its result. */
type Notify = () => void;

export interface SettleBatchOptions {
  /** Called with what each statement moved, after its commit. */
  readonly onMoved: (moved: readonly SettleItem[], released: SettledRow['released']) => void;
  /** Says of a run that was not moved why: its lease did not match, or a cancel stood in the way. */
  readonly whyNotMoved: (item: SettleItem) => Promise<FinishResult>;
}

/**
 * Settles runs that have no domain rows, artifacts or next jobs in shared statements. No timer: what ends in
 * a turn of the event loop goes at its end, and what ends while that is under way forms the next batch, so
 * one job alone waits for nobody. Those that succeeded with no more to say, which most do, go by themselves:
 * for the server they are a fifth less work. A batch that fails with a data error is halved down to the one
 * item, which alone gets the error.
 */
export class SettleBatch {
  readonly #db: Database;
  readonly #options: SettleBatchOptions;
  readonly #successes: Kind = { statement: succeedRuns, parameters: successParameters, waiting: [] };
  readonly #others: Kind = { statement: settleRuns, parameters: settleParameters, waiting: [] };
  #running = false;

  constructor(db: Database, options: SettleBatchOptions) {
    this.#db = db;
    this.#options = options;
  }

  /** Settles nothing. */
  async warmUp(): Promise<void> {
    for (const { statement, parameters } of [this.#others, this.#successes])
      await this.#db.asWorker(statement, parameters([]));
  }

  settle(item: SettleItem, listener: FinishListener): void {
    const { waiting } = isPlainSuccess(item) ? this.#successes : this.#others;
    waiting.push({ item, listener });
    if (this.#running) return;
    this.#running = true;
    process.nextTick(() => void this.#drain());
  }

  async #drain(): Promise<void> {
    let notify: Notify | undefined;
    for (let kind = this.#next(); ; kind = this.#next(kind)) {
      const sending = kind === undefined ? undefined : this.#send(kind, kind.waiting.splice(0, MAX_ITEMS));
      // While the database is at the next ones.
      notify?.();
      notify = await sending;
      if (kind === undefined && this.#next() === undefined) break;
    }
    this.#running = false;
  }

  /** In turns, where there are both. */
  #next(last?: Kind): Kind | undefined {
    const kinds =
      last === this.#successes ? [this.#others, this.#successes] : [this.#successes, this.#others];
    return kinds.find(({ waiting }) => waiting.length > 0);
  }

  async #send(kind: Kind, batch: readonly Waiting[]): Promise<Notify> {
    try {
      const items = batch.map(({ item }) => item);
      const { rows } = await this.#db.asWorker<SettledRow>(kind.statement, kind.parameters(items));
      return () => this.#answered(batch, rows[0] as SettledRow);
    } catch (error) {
      if (batch.length > 1 && sqlState(error) === LOCK_NOT_AVAILABLE) {
        // One of them is held by somebody's open transaction. Each goes alone, and what comes next does not
        // wait for them.
        for (const waiting of batch) void this.#send(kind, [waiting]).then((notify) => notify());
        return () => undefined;
      }
      if (batch.length === 1 || !refusesData(error)) {
        return () => {
          for (const { listener } of batch) listener.failed(error);
        };
      }
      const middle = Math.ceil(batch.length / 2);
      const notifications = [
        await this.#send(kind, batch.slice(0, middle)),
        await this.#send(kind, batch.slice(middle)),
      ];
      return () => {
        for (const notify of notifications) notify();
      };
    }
  }

  #answered(batch: readonly Waiting[], { kept, released }: SettledRow): void {
    const moved = kept === null ? batch : batch.filter(({ item }) => !kept.includes(item.lease.jobId));
    this.#options.onMoved(
      moved.map(({ item }) => item),
      released,
    );
    for (const { listener } of moved) listener.finished('settled');
    if (kept === null) return;
    for (const { item, listener } of batch) {
      if (kept.includes(item.lease.jobId)) notifyListener(this.#options.whyNotMoved(item), listener);
    }
  }
}
