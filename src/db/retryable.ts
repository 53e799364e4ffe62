/** What to do about an error of Postgres or of the way to it. One table; nothing else judges codes. */
export type ErrorClass =
  /** It lost a race and changed nothing. */
  | 'retryNow'
  /** The connection, or its server, is of no use any more. */
  | 'reconnect'
  /**
   * Somebody else holds what it needs for longer than it may wait: nothing was done, and later it may
   * succeed.
   */
  | 'busy'
  /** The caller's. */
  | 'fatal';

const ERROR_CLASSES: Readonly<Record<string, ErrorClass>> = {
  // The transaction lost a race and changed nothing: run it again.
  '40001': 'retryNow', // serialization_failure
  '40P01': 'retryNow', // deadlock_detected
  '55P03': 'busy', // lock_not_available
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
  EAI_AGAIN: 'reconnect',
  EHOSTUNREACH: 'reconnect',
  ENETUNREACH: 'reconnect',
  ENETDOWN: 'reconnect',
  EADDRNOTAVAIL: 'reconnect',
  ECONNABORTED: 'reconnect',
  EHOSTDOWN: 'reconnect',
  ENETRESET: 'reconnect',
  ENOTCONN: 'reconnect',
  ESHUTDOWN: 'reconnect',
  '57P05': 'reconnect', // idle_session_timeout
  '25P03': 'reconnect', // idle_in_transaction_session_timeout
  '25P04': 'reconnect', // transaction_timeout
  // Prisma's own: not reachable, and no connection or transaction in time.
  P1001: 'reconnect',
  P1002: 'reconnect',
  P1008: 'reconnect',
  P1017: 'reconnect',
  P2024: 'reconnect',
  P2028: 'reconnect',
  '25006': 'reconnect', // read_only_sql_transaction: a primary that became a standby
};

/** Messages of node-postgres for a broken connection, which carry no code. */
const RECONNECT_MESSAGE =
  /connection terminated|connection timeout|timeout exceeded when trying to connect|client has encountered a connection error|not queryable|query read timeout/i;

/** Judges a thrown error. Unknown ones are fatal: they are the caller's. */
export function classifyError(error: unknown): ErrorClass {
  if (!(error instanceof Error)) return 'fatal';
  for (const code of codesOf(error)) {
    const errorClass = ERROR_CLASSES[code];
    if (errorClass !== undefined) return errorClass;
  }
  // Whatever else the network calls it: a system call on the way to the server failed. Files are read and
  // written too, so that these calls say nothing by themselves: a full disk (ENOSPC) is no lost database.
  if (NETWORK_CALLS.has(String((error as { syscall?: unknown }).syscall))) return 'reconnect';
  return RECONNECT_MESSAGE.test(error.message) ? 'reconnect' : 'fatal';
}

/**
 * Ends of what took longer than it may: `statement_timeout`, and `transaction_timeout`, which ends the
 * connection too.
 */
const TOO_LONG = new Set(['57014', '25P04']);
/**
 * Prisma says P2028 of a transaction that came to its own limit, and also of one for which no connection was
 * free in time.
 */
const EXPIRED_TRANSACTION = /expired transaction|already closed/i;

/**
 * True when a read was ended since it took too long: the database is there, and the same again would take as
 * long.
 */
export function tookTooLong(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const codes = codesOf(error);
  return (
    codes.some((code) => TOO_LONG.has(code)) ||
    (codes.includes('P2028') && EXPIRED_TRANSACTION.test(error.message))
  );
}

/** The error's own code, and the one of Postgres that Prisma puts its own in place of. */
function codesOf(error: Error): string[] {
  const { code, meta } = error as {
    code?: unknown;
    meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } };
  };
  return [code, meta?.driverAdapterError?.cause?.originalCode].filter((one) => typeof one === 'string');
}

const NETWORK_CALLS = new Set(['connect', 'getaddrinfo']);

/** SQLSTATE classes that speak about what was to be written: the same again would be refused again. */
const REFUSING_CLASSES = new Set(['21', '22', '23', '42', '44', '54']);

/** True when the database will never take these data: not an outage, not a lost race, not a full disk. */
export function refusesData(error: unknown): boolean {
  const state = sqlState(error);
  return state !== null && REFUSING_CLASSES.has(state.slice(0, 2));
}

/** SQLSTATEs that an error carries: its own, and the one that Prisma keeps of the database's. */
export function sqlStates(error: Error): readonly string[] {
  return codesOf(error).filter((code) => SQL_STATE.test(code));
}

const SQL_STATE = /^[0-9A-Z]{5}$/;

/** SQLSTATE of an error of Postgres, or null. */
export function sqlState(error: unknown): string | null {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' && SQL_STATE.test(code) ? code : null;
}
