import { Gauge } from '@prometheus-io/client';
import type { Metrics } from './metrics.ts';
import { within } from './within.ts';

const TIMEOUT_MS = 2_000;

/**
 * Adds how full the cluster's queue of notifications is. Reading it also frees what everybody has read.
 * @param measure rejects while the database is away: the figure is absent then
 */
export function addNotifyQueueMetric({ registry }: Metrics, measure: () => Promise<number>): void {
  new Gauge({
    name: 'millrace_notify_queue_usage_ratio',
    help: 'How full the queue of notifications of the database cluster is, 0 to 1. From 0.5 on nobody is woken, and polling finds everything.',
    registers: [registry],
    async collect() {
      this.reset();
      await within(measure(), TIMEOUT_MS).then(
        (usage) => this.set(usage),
        () => undefined,
      );
    },
  });
}
