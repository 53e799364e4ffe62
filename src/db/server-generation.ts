/**
 * Which server a process works with, as a number that grows. One connection that finds its server read-only
 * says so here, and all pools of the process stop using connections that they opened before: a demoted server
 * answers reads forever, so that nothing else would end them.
 */
export class ServerGeneration {
  #current = 0;
  readonly #listeners = new Set<() => void>();

  get current(): number {
    return this.#current;
  }

  /**
   * A connection of that generation is of no use. The first of a generation counts: the others say the same
   * of old connections.
   */
  expire(generation: number): void {
    if (generation !== this.#current) return;
    this.#current++;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Returns the unsubscriber. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
