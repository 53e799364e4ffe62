import type { Run } from './run.ts';

/**
 * Reports runs when a time of theirs has come. One timer for all of them, set for the earliest: a timer for
 * each small job was a twentieth of what it costs. A run that ends leaves the timer as it is; it then finds
 * nobody, and is set for the next.
 */
export class RunTimer {
  readonly #open: () => Iterable<Run>;
  readonly #time: 'overMs' | 'noteStartMs';
  readonly #report: (run: Run) => void;
  #timer: NodeJS.Timeout | undefined;
  #timerMs = Number.POSITIVE_INFINITY;

  /**
   * @param open the runs that are not settled
   * @param time which of their times
   * @param report called once for each time that is set
   */
  constructor(open: () => Iterable<Run>, time: 'overMs' | 'noteStartMs', report: (run: Run) => void) {
    this.#open = open;
    this.#time = time;
    this.#report = report;
  }

  /** @param atMs by `performance.now()` */
  set(run: Run, atMs: number): void {
    run[this.#time] = atMs;
    if (atMs < this.#timerMs) this.#arm(atMs);
  }

  clear(run: Run): void {
    run[this.#time] = Number.POSITIVE_INFINITY;
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #arm(atMs: number): void {
    clearTimeout(this.#timer);
    this.#timerMs = atMs;
    this.#timer = setTimeout(() => this.#look(), Math.max(0, atMs - performance.now()));
  }

  #look(): void {
    this.#timerMs = Number.POSITIVE_INFINITY;
    // A timer may fire within the millisecond before.
    const nowMs = performance.now() + 1;
    let nextMs = Number.POSITIVE_INFINITY;
    for (const run of this.#open()) {
      const atMs = run[this.#time];
      if (atMs > nowMs) {
        nextMs = Math.min(nextMs, atMs);
        continue;
      }
      this.clear(run);
      this.#report(run);
    }
    if (nextMs < this.#timerMs) this.#arm(nextMs);
  }
}
