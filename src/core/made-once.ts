/**
 * Values that are made once for each key. When there are `most` of them all are forgotten, which costs no
 * more than making them again.
 */
export class MadeOnce<Value extends object> {
  readonly #most: number;
  readonly #made = new Map<string, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * The value of a key, made now where it is not known. What `make` throws is thrown, and nothing is kept.
   */
  get(key: string, make: () => Value): Value {
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const made = make();
    if (this.#made.size >= this.#most) this.#made.clear();
    this.#made.set(key, made);
    return made;
  }
}
