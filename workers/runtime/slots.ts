import type { Run } from './run.ts';

/** Marks a free slot. */
const FREE = Number.POSITIVE_INFINITY;

/** The slots of a process. Each run knows its own: found by a map, they were a twentieth of a small job. */
export class Slots {
  /** When each was taken, by `performance.now()`. */
  readonly #takenMs: Float64Array;
  readonly #free: number[];

  /** @param count how many there are */
  constructor(count: number) {
    this.#takenMs = new Float64Array(count).fill(FREE);
    this.#free = Array.from({ length: count }, (_, slot) => slot);
  }

  get freeCount(): number {
    return this.#free.length;
  }

  /** Gives the run one. @throws RangeError when none is free */
  take(run: Run): void {
    const slot = this.#free.pop();
    if (slot === undefined) throw new RangeError(`All ${this.#takenMs.length} slots are taken`);
    this.#takenMs[slot] = performance.now();
    run.slot = slot;
  }

  /** Takes the run's back; false when it has none. */
  give(run: Run): boolean {
    if (run.slot === undefined) return false;
    this.#takenMs[run.slot] = FREE;
    this.#free.push(run.slot);
    run.slot = undefined;
    return true;
  }

  /** Those that are free, or taken since `sinceMs` by `performance.now()`. */
  turning(sinceMs: number): number {
    return this.#takenMs.reduce((count, takenMs) => (takenMs < sinceMs ? count : count + 1), 0);
  }
}
