/** What a place says: when the run in it began, in `monotonicMs`, or one of these. */
const NOT_BEGUN = 0;
const RELEASED = -1;

/**
 * A place is used again only after this many others: by then the thread has seen the run that is in it.
 */
const SPARE_PLACES = 8_192;
/**
 * The thread may leave this many places unlooked at; with one message more they are still fewer than the
 * spare ones.
 */
export const MAX_UNREAD_PLACES = SPARE_PLACES / 2;

/**
 * Shows the heartbeat thread when runs begin and which leases are not ours to renew any more, without a
 * message for each: on jobs that take no time those were a third of the worker's work. Both threads see the
 * same memory; the main one writes, the other reads. A handler that blocks the main loop right after its
 * start is seen too.
 */
export class SharedLeaseTable {
  readonly places: Float64Array<SharedArrayBuffer>;
  readonly #free: number[] = [];
  #freeFrom = 0;

  /** @param maxHeld leases that are held at a time, at most */
  constructor(maxHeld: number) {
    const count = maxHeld + SPARE_PLACES;
    this.places = new Float64Array(new SharedArrayBuffer(count * Float64Array.BYTES_PER_ELEMENT));
    this.places.fill(RELEASED);
    for (let place = 0; place < count; place++) this.#free.push(place);
  }

  /**
   * A place for a run that has not begun. Throws RangeError when more are held than the table was made for.
   */
  take(): number {
    const place = this.#free[this.#freeFrom];
    if (place === undefined)
      throw new RangeError(`All ${this.places.length} places of the shared lease table are taken`);
    this.#freeFrom++;
    if (this.#freeFrom > SPARE_PLACES) {
      this.#free.splice(0, this.#freeFrom);
      this.#freeFrom = 0;
    }
    this.places[place] = NOT_BEGUN;
    return place;
  }

  /** The run in it begins now: its deadline counts from here. */
  begin(place: number): void {
    this.places[place] = monotonicMs();
  }

  /** Its lease is not to be renewed any more. */
  release(place: number): void {
    this.places[place] = RELEASED;
    this.#free.push(place);
  }
}

/** Both are the machine's monotonic clock, but `performance.now()` counts from where its thread began. */
const THREAD_BEGAN_MS = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/**
 * A clock that all threads of a process share, unlike performance.now(), and that nobody sets, unlike
 * Date.now().
 */
export function monotonicMs(): number {
  return THREAD_BEGAN_MS + performance.now();
}

/** When the run in a place began, in `monotonicMs`; null while it has not, undefined once released. */
export function readPlace(places: Float64Array, place: number): number | null | undefined {
  const said = places[place] ?? RELEASED;
  if (said === RELEASED) return undefined;
  return said === NOT_BEGUN ? null : said;
}
