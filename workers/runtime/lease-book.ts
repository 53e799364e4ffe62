import type { HeldLease } from './heartbeat-messages.ts';

interface Entry {
  readonly held: HeldLease;
  renewedMs: number;
  /** Null while the run has not begun. */
  deadlineMs: number | null;
}

/** Renewed at a third of the lease: two renewals may fail before it ends. */
const RENEWALS_PER_LEASE = 3;

/** The leases that the heartbeat thread keeps, with when each is due and when its run should be over. Pure but for the map. */
export class LeaseBook {
  readonly #entries = new Map<string, Entry>();

  get size(): number {
    return this.#entries.size;
  }

  hold(leases: readonly HeldLease[], nowMs: number): void {
    for (const held of leases) this.#entries.set(held.key, { held, renewedMs: nowMs, deadlineMs: null });
  }

  begin(key: string, nowMs: number): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) entry.deadlineMs = nowMs + entry.held.timeoutMs;
  }

  release(keys: readonly string[]): void {
    for (const key of keys) this.#entries.delete(key);
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /**
   * What one statement renews now: nothing while none is due; otherwise also those that are due soon, so that leases of
   * one age stay together in one statement.
   */
  due(nowMs: number): readonly HeldLease[] {
    const age = (entry: Entry): number =>
      ((nowMs - entry.renewedMs) * RENEWALS_PER_LEASE) / (entry.held.leaseSeconds * 1000);
    const entries = [...this.#entries.values()];
    if (!entries.some((entry) => age(entry) >= 1)) return [];
    return entries.filter((entry) => age(entry) >= 0.5).map(({ held }) => held);
  }

  renewed(leases: readonly HeldLease[], atMs: number): void {
    for (const { key } of leases) {
      const entry = this.#entries.get(key);
      if (entry !== undefined) entry.renewedMs = atMs;
    }
  }

  /** Runs that should be over. */
  pastDeadline(nowMs: number): readonly HeldLease[] {
    return [...this.#entries.values()]
      .filter(({ deadlineMs }) => deadlineMs !== null && nowMs > deadlineMs)
      .map(({ held }) => held);
  }

  /** Claimed, but their handlers were never called. */
  notBegun(): readonly HeldLease[] {
    return [...this.#entries.values()]
      .filter(({ deadlineMs }) => deadlineMs === null)
      .map(({ held }) => held);
  }
}
