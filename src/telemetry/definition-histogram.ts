import type { Histogram, Registry } from '@prometheus-io/client';

interface Tally {
  /** Observations in each bucket, those above the last bound at the end. */
  readonly counts: Float64Array;
  sum: number;
}

/**
 * A histogram by definition for a worker's hot path: it keeps its own figures and hands them to the registry
 * when somebody asks. The library's takes 1 µs an observation with a label, where a small job as a whole
 * takes 40; this one 0.03.
 */
export class DefinitionHistogram {
  readonly name: string;
  readonly help: string;
  readonly #bounds: readonly number[];
  readonly #tallies = new Map<string, Tally>();

  constructor(options: {
    readonly name: string;
    readonly help: string;
    readonly buckets: readonly number[];
    readonly registry: Registry;
  }) {
    this.name = options.name;
    this.help = options.help;
    this.#bounds = options.buckets;
    // What the registry asks of a metric is `name` and `get()`; its types know only the library's own kinds.
    options.registry.registerMetric(this as unknown as Histogram<'definition'>);
  }

  observe(definition: string, value: number): void {
    let tally = this.#tallies.get(definition);
    if (tally === undefined) {
      tally = { counts: new Float64Array(this.#bounds.length + 1), sum: 0 };
      this.#tallies.set(definition, tally);
    }
    let place = 0;
    while (place < this.#bounds.length && value > (this.#bounds[place] as number)) place++;
    tally.counts[place] = (tally.counts[place] ?? 0) + 1;
    tally.sum += value;
  }

  /** For the registry. */
  async get(): Promise<object> {
    const values = [...this.#tallies].flatMap(([definition, tally]) => this.#valuesOf(definition, tally));
    return { name: this.name, help: this.help, type: 'histogram', values, aggregator: 'sum' };
  }

  #valuesOf(definition: string, { counts, sum }: Tally): object[] {
    let total = 0;
    const buckets = [...counts].map((count, place) => {
      total += count;
      const le = this.#bounds[place] ?? '+Inf';
      return { metricName: `${this.name}_bucket`, labels: { definition, le }, value: total };
    });
    return [
      ...buckets,
      { metricName: `${this.name}_sum`, labels: { definition }, value: sum },
      { metricName: `${this.name}_count`, labels: { definition }, value: total },
    ];
  }
}
