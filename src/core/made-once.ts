import { BoundedMap } from './bounded-map.ts';

/** Values that are made once for each key, of which the last `most` are kept. */
export class MadeOnce<Value extends object> {
  readonly #made: BoundedMap<string, Value>;

  constructor(most: number) {
    this.#made = new BoundedMap(most);
  }

  /**
   * The value of a key, made now where it is not known. What `make` throws is thrown, and nothing is kept.
   */
  get(key: string, make: () => Value): Value {
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.#made.set(key, made);
    return made;
  }
}
