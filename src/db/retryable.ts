/** What to do about an error of Postgres or of the way to it. One table; nothing else judges codes. */
export type Verdict = 'retryNow' | 'reconnect' | 'fatal';

const VERDICTS: Readonly<Record<string, Verdict>> = {
  // The transaction lost a race and changed nothing: run it again.
  '40001': 'retryNow', // serialization_failure
  '40P01': 'retryNow', // deadlock_detected
  // The connection is gone or will not come; whether the transaction committed may be unknown.
  '57P01': 'reconnect', // admin_shutdown
  '57P02': 'reconnect', // crash_shutdown
  '57P03': 'reconnect', // cannot_connect_now
  '08000': 'reconnect',
  '08001': 'reconnect',
  '08003': 'reconnect',
  '08006': 'reconnect',
  '53300': 'reconnect', // too_many_connections
  ECONNREFUSED: 'reconnect',
  ECONNRESET: 'reconnect',
  EPIPE: 'reconnect',
  ETIMEDOUT: 'reconnect',
  ENOTFOUND: 'reconnect',
};

/** Messages of node-postgres for a broken connection, which carry no code. */
const RECONNECT_MESSAGE =
  /connection terminated|connection timeout|timeout exceeded when trying to connect|client has encountered a connection error|not queryable|query read timeout/i;

/** Judges a thrown error. Unknown ones are fatal: they are the caller's. */
export function verdictOf(error: unknown): Verdict {
  if (!(error instanceof Error)) return 'fatal';
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && VERDICTS[code] !== undefined) return VERDICTS[code];
  return RECONNECT_MESSAGE.test(error.message) ? 'reconnect' : 'fatal';
}

/** SQLSTATE of an error of Postgres, or null. */
export function sqlState(error: unknown): string | null {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : null;
}
