/**
 * What was committed at one moment, as Postgres sees it: every transaction before `xmax`, but for those in
 * `xip`, which were still under way; all before `xmin` had ended. Later snapshots of one life of a server
 * contain the earlier ones.
 */
export interface Snapshot {
  readonly xmin: bigint;
  readonly xmax: bigint;
  /** Ascending. */
  readonly xip: readonly bigint[];
}

/**
 * Transaction ids that a crash may give out again: those that nothing on disk recorded. A commit flushes all
 * before it and the WAL writer the rest within a second, so this many would need a rate that no server
 * reaches.
 */
export const REUSED_XIDS = 65_536n;

/** Reads the text form of `pg_snapshot`, `xmin:xmax:xip,xip`. */
export function parseSnapshot(text: string): Snapshot {
  const match = /^(\d+):(\d+):([\d,]*)$/.exec(text);
  if (match === null) throw new TypeError(`Not a pg_snapshot: ${JSON.stringify(text)}`);
  const [, xmin = '', xmax = '', list = ''] = match;
  return { xmin: BigInt(xmin), xmax: BigInt(xmax), xip: list === '' ? [] : list.split(',').map(BigInt) };
}

/** True when what the transaction wrote could be seen in the snapshot (if it committed). */
export function isVisible(snapshot: Snapshot, xid: bigint): boolean {
  if (xid < snapshot.xmin) return true;
  return xid < snapshot.xmax && !snapshot.xip.includes(xid);
}

/** True when `snapshot` shows at least all that `other`, of the same life of the server, shows. */
export function isAtLeast(snapshot: Snapshot, other: Snapshot): boolean {
  if (snapshot.xmax !== other.xmax) return snapshot.xmax > other.xmax;
  // No transaction below xmax can have begun in between, so the list only gets shorter.
  return snapshot.xip.length <= other.xip.length;
}

/**
 * What can still be trusted of a snapshot after a restart: changes of transactions far enough below it. All
 * others count as unseen and are delivered again, which does no harm; their ids may have been given out a
 * second time.
 */
export function rewind(snapshot: Snapshot): Snapshot {
  return below(snapshot.xmin > REUSED_XIDS ? snapshot.xmin - REUSED_XIDS : 0n);
}

/** The snapshot that shows the transactions before `xid` and no others: less than any that began there. */
export function below(xid: bigint): Snapshot {
  return { xmin: xid, xmax: xid, xip: [] };
}
