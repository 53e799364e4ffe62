import { collectDefaultMetrics, Gauge, Registry } from '@prometheus-io/client';
import { Gauges } from './gauges.ts';

/**
 * The figures of one process. Made by the composition root and handed down: nothing registers itself
 * somewhere global, so that two servers in one process (a test, an all-in-one start) do not add to each
 * other's.
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

/**
 * What every Node program has (CPU, memory, event loop), by whatever servers it runs. Made once: the timers
 * and observers behind these figures run as long as the process does, one of them a hundred times a second.
 */
let ofProcess: Registry | undefined;

function processFigures(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

/** Makes the figures of a server or a worker; shown with them are those that every Node program has. */
export function createMetrics(): Metrics {
  const processWide = processFigures();
  const registry = new Registry();
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
    render: async () => `${await processWide.metrics()}${await registry.metrics()}${gaugesText(gauges)}`,
    contentType: registry.contentType,
  };
}

function gaugesText(gauges: Gauges): string {
  return gauges
    .read()
    .map(({ name, help, value }) => `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}\n`)
    .join('');
}
