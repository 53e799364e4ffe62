/** What waits, by who asked for it: owners take turns, however much one of them has waiting. */
export class FairQueue<T> {
  readonly #byOwner = new Map<string, T[]>();
  #count = 0;

  get size(): number {
    return this.#count;
  }

  add(owner: string, item: T): void {
    const waiting = this.#byOwner.get(owner);
    if (waiting === undefined) this.#byOwner.set(owner, [item]);
    else waiting.push(item);
    this.#count++;
  }

  /** Takes the next item of the owner whose turn it is, among those that `isFree`; undefined without one. */
  take(isFree: (owner: string) => boolean = () => true): T | undefined {
    for (const [owner, waiting] of this.#byOwner) {
      if (!isFree(owner)) continue;
      const item = waiting.shift();
      this.#byOwner.delete(owner);
      // Behind all others.
      if (waiting.length > 0) this.#byOwner.set(owner, waiting);
      this.#count--;
      return item;
    }
    return undefined;
  }

  /** Takes all of it. */
  takeAll(): T[] {
    const all = [...this.#byOwner.values()].flat();
    this.#byOwner.clear();
    this.#count = 0;
    return all;
  }
}
