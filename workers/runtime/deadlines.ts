import { timedOutRun } from './abort-reason.ts';
import type { Run } from './run.ts';

/**
 * Tells runs that their time is over. One timer for all of them, set for the earliest: a timer for each small job was a
 * twentieth of what it costs. A run that ends leaves the timer as it is; it then finds nobody, and is set for the next.
 */
export class Deadlines {
  readonly #dueMs = new Map<Run, number>();
  #timer: NodeJS.Timeout | undefined;
  #timerMs = Number.POSITIVE_INFINITY;

  /** The run begins now, and may take as long as its claim says. */
  begin(run: Run): void {
    const dueMs = performance.now() + run.claimed.timeoutSeconds * 1000;
    this.#dueMs.set(run, dueMs);
    if (dueMs < this.#timerMs) this.#arm(dueMs);
  }

  end(run: Run): void {
    this.#dueMs.delete(run);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#dueMs.clear();
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
    for (const [run, dueMs] of this.#dueMs) {
      if (dueMs > nowMs) {
        nextMs = Math.min(nextMs, dueMs);
        continue;
      }
      this.#dueMs.delete(run);
      run.abort(timedOutRun(run.claimed.timeoutSeconds));
    }
    if (nextMs < Number.POSITIVE_INFINITY) this.#arm(nextMs);
  }
}
