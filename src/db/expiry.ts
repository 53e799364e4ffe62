import { inBatches, type Turn } from '../core/duty.ts';
import { toError } from '../core/errors.ts';
import type { Database, Transaction } from './database.ts';

/** Rows whose time is up, each with something in the store. */
export interface Expiry<Row> {
  /** Rows that are locked at once, for as long as it takes to delete what they name. */
  readonly batchSize: number;
  /** Locks rows whose time is up, this many at most. */
  lock(tx: Transaction, count: number): Promise<readonly Row[]>;
  /** Deletes what a row names in the store. A row of which this fails stays. */
  remove(row: Row): Promise<void>;
  onFailure(row: Row, reason: string): void;
  /** Stores that rows are done with; at least one. */
  forget(tx: Transaction, rows: readonly Row[]): Promise<void>;
  /** After some were forgotten. */
  onForgotten?(): void;
}

/**
 * Takes away rows and what they name: that first, then the row, so that a crash between them leaves a row
 * that is found again and never a file that nobody knows.
 * @returns how many rows it is done with
 */
export async function expire<Row>(turn: Turn, database: Database, expiry: Expiry<Row>): Promise<number> {
  const { batchSize } = expiry;
  return await inBatches(turn, async () => {
    const { done, found } = await database.transaction({ role: 'worker' }, async (tx) => {
      const rows = await expiry.lock(tx, batchSize);
      const gone: Row[] = [];
      for (const row of rows) {
        try {
          await expiry.remove(row);
          gone.push(row);
        } catch (error) {
          expiry.onFailure(row, toError(error).message);
        }
      }
      if (gone.length > 0) await expiry.forget(tx, gone);
      return { done: gone.length, found: rows.length };
    });
    if (done > 0) expiry.onForgotten?.();
    // Those that could not be removed would be found again at once: they are left to the next turn.
    return { done, more: found === batchSize && done === batchSize };
  });
}
