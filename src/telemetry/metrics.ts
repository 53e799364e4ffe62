import { collectDefaultMetrics, Gauge, Registry } from '@prometheus-io/client';
import { Gauges } from './gauges.ts';

/**
 * The figures of one process. Made by the composition root and handed down: nothing registers itself somewhere global, so that
 * two servers in one process (a test, an all-in-one start) do not add to each other's.
 */
export interface Metrics {
  /** Where families of figures are registered. Each name once. */
  readonly registry: Registry;
  /** Figures that somebody sets when it measures them: those of the maintenance. */
  readonly gauges: Gauges;
  /** A figure without labels that is read whenever somebody asks; `null` leaves it out of that answer. */
  readAt(name: string, help: string, read: () => number | null): void;
  /** Everything, in Prometheus' text format. */
  render(): Promise<string>;
  readonly contentType: string;
}

/** Makes the figures of a process, with those that every Node program has (CPU, memory, event loop). */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const gauges = new Gauges();
  return {
    registry,
    gauges,
    readAt: (name, help, read) => {
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          const value = read();
          if (value === null) this.remove();
          else this.set(value);
        },
      });
    },
    render: async () => `${await registry.metrics()}${gaugesText(gauges)}`,
    contentType: registry.contentType,
  };
}

function gaugesText(gauges: Gauges): string {
  return gauges
    .read()
    .map(({ name, help, value }) => `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}\n`)
    .join('');
}
