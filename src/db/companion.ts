import { AsyncLocalStorage } from 'node:async_hooks';
import type { Transaction } from './transaction.ts';

/** What is to be written in the transaction of others, or not at all. */
export interface Companion {
  /**
   * Called before the commit of each transaction that may write, until it says that it has written; again where a transaction is tried again.
   * @param written what the transaction's own work gave
   * @returns whether it has written
   */
  write(tx: Transaction, written: unknown): Promise<boolean>;
}

interface Held {
  readonly companion: Companion;
  isWritten: boolean;
}

const held = new AsyncLocalStorage<Held>();

/** Runs `work` with a companion of the first transaction in it that the companion writes in. */
export function withCompanion<T>(companion: Companion, work: () => Promise<T>): Promise<T> {
  return held.run({ companion, isWritten: false }, work);
}

/** Whether somebody waits for a transaction: what is written then must have one of its own. */
export function hasCompanion(): boolean {
  return held.getStore() !== undefined;
}

/** Lets the companion write. @returns what is to be called once the transaction is committed; null without a companion */
export async function writeCompanion(tx: Transaction, written: unknown): Promise<(() => void) | null> {
  const waiting = held.getStore();
  if (waiting === undefined || waiting.isWritten) return null;
  if (!(await waiting.companion.write(tx, written))) return null;
  return () => {
    waiting.isWritten = true;
  };
}
