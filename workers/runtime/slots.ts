import type { Run } from './run.ts';

/** The slots of a process and who has them. Each run knows its own: found by a map, they were a twentieth of a small job. */
export class Slots {
  readonly #runs: (Run | undefined)[];
  readonly #takenMs: Float64Array;
  readonly #free: number[];

  /** @param count how many there are */
  constructor(count: number) {
    this.#runs = new Array(count).fill(undefined);
    this.#takenMs = new Float64Array(count);
    this.#free = Array.from({ length: count }, (_, slot) => slot);
  }

  get freeCount(): number {
    return this.#free.length;
  }

  /** Gives the run one. @throws RangeError when none is free */
  take(run: Run): void {
    const slot = this.#free.pop();
    if (slot === undefined) throw new RangeError(`All ${this.#runs.length} slots are taken`);
    this.#runs[slot] = run;
    this.#takenMs[slot] = performance.now();
    run.slot = slot;
  }

  /** Takes the run's back; false when it has none. */
  give(run: Run): boolean {
    const { slot } = run;
    if (slot === undefined || this.#runs[slot] !== run) return false;
    this.#runs[slot] = undefined;
    run.slot = undefined;
    this.#free.push(slot);
    return true;
  }

  /** Those that are free, or taken since `sinceMs` by `performance.now()`. */
  turning(sinceMs: number): number {
    let held = 0;
    for (let slot = 0; slot < this.#runs.length; slot++)
      if (this.#runs[slot] !== undefined && (this.#takenMs[slot] as number) < sinceMs) held++;
    return this.#runs.length - held;
  }
}
