import type { Channel } from '../db/channels.ts';
import type { Transaction } from '../db/database.ts';

/** Runs a statement: in the caller's transaction, or in one of its own. */
export type RunStatement = Transaction['query'];

export interface InsertOptions {
  /** For the next stage of a job that ends while its tenant is being deleted: it is deleted with the rest. */
  readonly evenDeletedTenants: boolean;
  /** Channels to notify with the commit; null: none. */
  readonly notifying: readonly Channel[] | null;
}
