import type { HeldLease } from './heartbeat-messages.ts';
import { readPlace } from './lease-board.ts';

interface Entry {
  readonly held: HeldLease;
  renewedMs: number;
}

/** Renewed at a third of the lease: two renewals may fail before it ends. */
const RENEWALS_PER_LEASE = 3;

/**
 * The leases that the heartbeat thread keeps, with when each is due and when its run should be over. Which have begun and
 * which are over it reads from the lease board.
 */
export class LeaseBook {
  readonly #places: Float64Array;
  readonly #entries = new Map<string, Entry>();

  /** @param places the lease board's */
  constructor(places: Float64Array) {
    this.#places = places;
  }

  get size(): number {
    this.#forgetReleased();
    return this.#entries.size;
  }

  hold(leases: readonly HeldLease[], nowMs: number): void {
    for (const held of leases) this.#entries.set(held.key, { held, renewedMs: nowMs });
  }

  has(key: string): boolean {
    const entry = this.#entries.get(key);
    return entry !== undefined && this.#beganMs(entry) !== undefined;
  }

  /** For one that turned out to be somebody else's. */
  forget(keys: readonly string[]): void {
    for (const key of keys) this.#entries.delete(key);
  }

  /**
   * What one statement renews now: nothing while none is due; otherwise also those that are due soon, so that leases of
   * one age stay together in one statement.
   */
  due(nowMs: number): readonly HeldLease[] {
    this.#forgetReleased();
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

  /**
   * Runs that should be over.
   * @param sharedMs the time in `monotonicMs`, which the board's times are of
   */
  pastDeadline(sharedMs: number): readonly HeldLease[] {
    return this.#where((beganMs, { timeoutMs }) => beganMs !== null && sharedMs > beganMs + timeoutMs);
  }

  /** Claimed, but their handlers were never called. */
  notBegun(): readonly HeldLease[] {
    return this.#where((beganMs) => beganMs === null);
  }

  #where(holds: (beganMs: number | null, held: HeldLease) => boolean): readonly HeldLease[] {
    return [...this.#entries.values()]
      .filter((entry) => {
        const beganMs = this.#beganMs(entry);
        return beganMs !== undefined && holds(beganMs, entry.held);
      })
      .map(({ held }) => held);
  }

  #beganMs({ held }: Entry): number | null | undefined {
    return readPlace(this.#places, held.place);
  }

  #forgetReleased(): void {
    for (const [key, entry] of this.#entries)
      if (this.#beganMs(entry) === undefined) this.#entries.delete(key);
  }
}
