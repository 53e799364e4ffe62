/**
 * Bounds how much work of one owner is under way at a time, so that what all share (connections to the
 * database) is never one owner's alone. What is beyond waits, in its order.
 */
export class OwnerSlots {
  readonly #limit: number;
  readonly #owners = new Map<string, { running: number; readonly waiting: (() => void)[] }>();

  /** @param limit pieces of work of one owner at a time */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Runs it when its owner has a slot. @returns what it returns, or throws */
  async run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const turn = this.#take(owner);
    // With a slot free, work begins at once: callers may count on its having begun.
    if (turn !== null) await turn;
    try {
      return await work();
    } finally {
      this.#free(owner);
    }
  }

  /**
   * Waits for something from within `run` without its slot, which others have meanwhile. @returns what it
   * returns, or throws
   */
  async outside<T>(owner: string, wait: () => Promise<T>): Promise<T> {
    this.#free(owner);
    try {
      return await wait();
    } finally {
      await this.#take(owner);
    }
  }

  /** @returns null for a slot that is taken, else what ends when the slot has come */
  #take(owner: string): Promise<void> | null {
    const slots = this.#owners.get(owner) ?? { running: 0, waiting: [] };
    this.#owners.set(owner, slots);
    if (slots.running >= this.#limit) return new Promise<void>((resolve) => slots.waiting.push(resolve));
    slots.running++;
    return null;
  }

  #free(owner: string): void {
    const slots = this.#owners.get(owner);
    if (slots === undefined) return;
    const next = slots.waiting.shift();
    // The slot goes on to who has waited longest.
    if (next !== undefined) next();
    else if (--slots.running === 0) this.#owners.delete(owner);
  }
}
