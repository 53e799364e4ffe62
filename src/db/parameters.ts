/** The values of a statement whose text is put together. */
export class Parameters {
  readonly #values: unknown[] = [];

  get values(): readonly unknown[] {
    return this.#values;
  }

  /** @returns the value as the text has it */
  add(value: unknown, type: string): string {
    this.#values.push(value instanceof Date ? value.toISOString() : value);
    return `$${this.#values.length}::${type}`;
  }
}
