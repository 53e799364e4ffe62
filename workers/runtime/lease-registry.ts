import { type HeldLease, type LeaseBatch, leasesOf } from './lease-batch.ts';
import { MAX_UNREAD_PLACES, readPlace } from './shared-lease-table.ts';

interface Entry {
  readonly held: HeldLease;
  renewedMs: number;
}

/** Renewed at a third of the lease: two renewals may fail before it ends. */
const RENEWALS_PER_LEASE = 3;

/**
 * The leases that the heartbeat thread keeps, with when each is due and when its run should be over. Which
 * have begun and which are over it reads from the shared table.
 */
export class LeaseRegistry {
  readonly #places: Float64Array;
  readonly #entries = new Map<string, Entry>();
  /** Not entered yet: most runs are over before anybody asks for them. */
  #unread: { readonly batch: LeaseBatch; readonly heldMs: number }[] = [];
  #unreadPlaces = 0;

  /** @param places the shared table's */
  constructor(places: Float64Array) {
    this.#places = places;
  }

  get size(): number {
    this.#read();
    this.#forget();
    return this.#entries.size;
  }

  hold(batches: readonly LeaseBatch[], nowMs: number): void {
    for (const batch of batches) {
      this.#unread.push({ batch, heldMs: nowMs });
      this.#unreadPlaces += batch.places.length;
    }
    // Before the places of those that are over are given to others. The newer half stays: most of it is not
    // over yet.
    if (this.#unreadPlaces > MAX_UNREAD_PLACES) this.#read(MAX_UNREAD_PLACES / 2);
  }

  has(key: string): boolean {
    this.#read();
    const entry = this.#entries.get(key);
    return entry !== undefined && this.#beganMs(entry) !== undefined;
  }

  /**
   * For those that turned out to be somebody else's, of what `due` gave: they are entered, and what was held
   * meanwhile cannot be among them, since a run is held once.
   */
  forget(keys: readonly string[]): void {
    for (const key of keys) this.#entries.delete(key);
  }

  /**
   * What one statement renews now: nothing while none is due; otherwise also those that are due soon, so that
   * leases of one age stay together in one statement.
   */
  due(nowMs: number): readonly HeldLease[] {
    const age = (leaseSeconds: number, renewedMs: number): number =>
      ((nowMs - renewedMs) * RENEWALS_PER_LEASE) / (leaseSeconds * 1000);
    // Jobs that take no time are over long before: most batches need not be read at all.
    if (this.#unread.some(({ batch, heldMs }) => age(batch.leaseSeconds, heldMs) >= 0.5)) this.#read();
    this.#forget();
    const entries = [...this.#entries.values()];
    const ageOf = ({ held, renewedMs }: Entry): number => age(held.leaseSeconds, renewedMs);
    if (!entries.some((entry) => ageOf(entry) >= 1)) return [];
    return entries.filter((entry) => ageOf(entry) >= 0.5).map(({ held }) => held);
  }

  /** @param leases of what `due` gave */
  renewed(leases: readonly HeldLease[], atMs: number): void {
    for (const { key } of leases) {
      const entry = this.#entries.get(key);
      if (entry !== undefined) entry.renewedMs = atMs;
    }
  }

  /**
   * Runs that should be over.
   * @param sharedMs the time in `monotonicMs`, which the table's times are of
   */
  pastDeadline(sharedMs: number): readonly HeldLease[] {
    return this.#where((beganMs, { timeoutMs }) => beganMs !== null && sharedMs > beganMs + timeoutMs);
  }

  /** Claimed, but their handlers were never called. */
  notBegun(): readonly HeldLease[] {
    return this.#where((beganMs) => beganMs === null);
  }

  /** All that are held, begun or not, but for these. */
  allBut(leases: readonly HeldLease[]): readonly HeldLease[] {
    const keys = new Set(leases.map(({ key }) => key));
    return this.#where((_, { key }) => !keys.has(key));
  }

  #where(holds: (beganMs: number | null, held: HeldLease) => boolean): readonly HeldLease[] {
    this.#read();
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

  /** Enters the oldest, until no more than this many places are left unread. */
  #read(leftPlaces = 0): void {
    let count = 0;
    for (const { batch, heldMs } of this.#unread) {
      if (this.#unreadPlaces <= leftPlaces) break;
      for (const held of leasesOf(batch, (place) => readPlace(this.#places, place) !== undefined))
        this.#entries.set(held.key, { held, renewedMs: heldMs });
      this.#unreadPlaces -= batch.places.length;
      count++;
    }
    this.#unread.splice(0, count);
  }

  /** Those that are over. */
  #forget(): void {
    for (const [key, entry] of this.#entries)
      if (this.#beganMs(entry) === undefined) this.#entries.delete(key);
  }
}
