/**
 * A map of what can be made again, for keys that somebody else chooses: at most N entries, of which the
 * one that was set first goes when another comes. Emptied at once it would have everything made again at
 * once.
 */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number;

  /** @param most entries, 1 or more */
  constructor(most: number) {
    super();
    this.#most = most;
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    if (this.size > this.#most) {
      const [oldest] = this.keys();
      this.delete(oldest as Key);
    }
    return this;
  }
}
