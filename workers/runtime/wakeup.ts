/**
 * Wakes the claim loop: by a notification, by a timer for work that this process knows will be due, or by its
 * poll.
 */
export class Wakeup {
  #signals = 0;
  #waiter: (() => void) | undefined;
  readonly #timers = new Set<NodeJS.Timeout>();
  #wave = 0;

  /**
   * Read it before a claim and hand it to `wait`: a signal that comes in between must not be slept through.
   */
  get signals(): number {
    return this.#signals;
  }

  signal(): void {
    this.#signals++;
    this.#waiter?.();
  }

  /** Signals, as one of N workers that a notification wakes. */
  signalOf(wave: number): void {
    this.#wave = Math.max(this.#wave, wave);
    this.signal();
  }

  /** How many workers the notification woke that ended the last wait; 0: something else did. Read once. */
  takeWave(): number {
    const wave = this.#wave;
    this.#wave = 0;
    return wave;
  }

  /**
   * Signals in `delayMs`: a retry or snooze that this process has just settled becomes ready then, and nobody
   * notifies for the passing of time. Far or many ones are left to the poll.
   */
  wakeIn(delayMs: number): void {
    if (delayMs > 60_000 || this.#timers.size >= 200) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.signal();
    }, delayMs);
    this.#timers.add(timer);
  }

  /** Resolves at the first signal after `seen`, or after `timeoutMs`. */
  async wait(seen: number, timeoutMs: number): Promise<void> {
    if (this.#signals !== seen) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiter = resolve;
    const timer = setTimeout(resolve, timeoutMs);
    await promise;
    clearTimeout(timer);
    this.#waiter = undefined;
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.signal();
  }
}
