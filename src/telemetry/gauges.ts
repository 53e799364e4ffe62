/** One figure of this process, as a metrics page prints it. */
export interface Gauge {
  /** `millrace_…`, in snake case. */
  readonly name: string;
  /** What it counts, in a sentence. */
  readonly help: string;
  readonly value: number;
}

/** The newest figures, by name. The code that measures sets them, and the code that shows them reads them. */
export class Gauges {
  readonly #byName = new Map<string, Gauge>();

  set(name: string, help: string, value: number): void {
    this.#byName.set(name, { name, help, value });
  }

  /** For a figure that this process measures no longer: an old value would be taken for a true one. */
  forget(name: string): void {
    this.#byName.delete(name);
  }

  /** Sorted by name. */
  read(): readonly Gauge[] {
    return [...this.#byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}
