import { FairQueue } from './fair-queue.ts';

/** Such work leaves twice the time that it takes to others on the event loop. */
const REST = 2;
const MAX_REST_MS = 1_000;

/**
 * Work that keeps the event loop for long: one piece at a time, owners in turn, and after each piece the loop
 * is everybody else's for twice as long as the piece and what followed it in the same turn took. So it delays
 * others by one piece at most, however many anyone sends.
 */
export class PacedTurns {
  readonly #waiting = new FairQueue<() => void>();
  #isBusy = false;

  /** Pieces that wait for their turn. */
  get waitingCount(): number {
    return this.#waiting.size;
  }

  /** Runs it when it is the owner's turn. @returns what it returns, or throws */
  run<T>(owner: string, work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(owner, () => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      });
      this.#next();
    });
  }

  #next(): void {
    if (this.#isBusy) return;
    const piece = this.#waiting.take();
    if (piece === undefined) return;
    this.#isBusy = true;
    const startedMs = performance.now();
    piece();
    // Behind all that follows at once: executing what was read is part of the piece.
    setImmediate(() => {
      const restMs = Math.min(MAX_REST_MS, REST * (performance.now() - startedMs));
      setTimeout(() => {
        this.#isBusy = false;
        this.#next();
      }, restMs);
    });
  }
}
