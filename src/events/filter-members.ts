/** More than this are not remembered one by one. */
const MAX_MEMBERS = 10_000;

/**
 * Decides what a change means to a subscriber that asked for what may change, as statuses: in, out, or never
 * been there.
 */
export class FilterMembers<T> {
  readonly #isIn: (trace: T) => boolean;
  readonly #idOf: (trace: T) => string;
  readonly #members = new Set<string>();
  /** Things made since this time (ms since 1970) are known from their start; +Infinity: none is. */
  #knownSinceMs = Number.POSITIVE_INFINITY;

  constructor(isIn: (trace: T) => boolean, idOf: (trace: T) => string) {
    this.#isIn = isIn;
    this.#idOf = idOf;
  }

  /**
   * A fresh state was read whole: whatever was created after `sinceMs` and is not in it is not in the filter.
   */
  startFrom(sinceMs: number): void {
    this.#members.clear();
    this.#knownSinceMs = sinceMs;
  }

  /** Forgets everybody: from now on any job may have been in the filter. */
  forget(): void {
    this.startFrom(Number.POSITIVE_INFINITY);
  }

  /**
   * The event for the change, without noting it. Where it is unknown whether the subscriber has the thing, it
   * is sent that the thing left: that does no harm, the opposite would leave it standing forever.
   */
  judge(trace: T): 'in' | 'left' | 'outside' {
    if (this.#isIn(trace)) return 'in';
    const id = this.#idOf(trace);
    if (this.#members.has(id)) return 'left';
    return creationMs(id) >= this.#knownSinceMs ? 'outside' : 'left';
  }

  /**
   * Knows from now on what `other` knows too: for subscribers that go on together, who may then get a leave
   * they do not need.
   */
  adopt(other: FilterMembers<T>): void {
    this.#knownSinceMs = Math.max(this.#knownSinceMs, other.#knownSinceMs);
    for (const id of other.#members) this.record(id, 'in');
  }

  /** Notes what the subscriber has been sent. */
  record(id: string, verdict: 'in' | 'left'): void {
    if (verdict === 'left') this.#members.delete(id);
    else if (this.#members.size < MAX_MEMBERS) this.#members.add(id);
    else this.#knownSinceMs = Number.POSITIVE_INFINITY;
  }
}

/**
 * When something was made, from its UUIDv7; an id of another kind shows nothing, which counts as long ago.
 */
function creationMs(id: string): number {
  if (id[14] !== '7') return Number.NEGATIVE_INFINITY;
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
