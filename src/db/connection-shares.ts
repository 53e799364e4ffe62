/**
 * Connections of a worker process in all, where nothing is configured: enough for two claims and settlements
 * at a time beside a transaction.
 */
export const WORKER_CONNECTIONS = 6;
/** The shares of an API process. */
export const API_CONNECTIONS = 12;

/** How many connections of a process are for what, at most. */
export interface ConnectionShares {
  readonly transactions: number;
  /** For single statements of the worker role: claims, settlements, inserts, the feed. */
  readonly statements: number;
  /** For reads of the API; 0 in a worker. */
  readonly reads: number;
}

/**
 * What a worker's connections are for. One listens and one is the heartbeat's, so that no run keeps a lease
 * from being renewed; notifications go out among the statements.
 * @param configured `MILLRACE_MAX_CONNECTIONS`; 0: `WORKER_CONNECTIONS`
 */
export function workerShares(configured: number): ConnectionShares {
  const left = Math.max(2, (configured || WORKER_CONNECTIONS) - 2);
  // Two: a duty that deletes in batches must not keep a settlement with rows of its domain waiting.
  const transactions = Math.max(1, Math.floor(left / 2));
  return { transactions, statements: left - transactions, reads: 0 };
}

/**
 * What an API process' connections are for. One listens and one notifies.
 * @param configured `MILLRACE_MAX_CONNECTIONS`; 0: `API_CONNECTIONS`
 */
export function apiShares(configured: number): ConnectionShares {
  const left = Math.max(3, (configured || API_CONNECTIONS) - 2);
  const reads = Math.max(1, Math.floor(left * 0.4));
  const transactions = Math.max(1, Math.floor(left * 0.3));
  return { reads, transactions, statements: left - reads - transactions };
}
