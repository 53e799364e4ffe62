import type { Config } from '../src/config/config.ts';
import { Gauges } from '../src/telemetry/gauges.ts';
import type { Logger } from '../src/telemetry/log.ts';
import type { Metrics } from '../src/telemetry/metrics.ts';
import type { WorkerMetrics } from '../src/telemetry/worker-metrics.ts';

/** What a worker counts and measures, and where that is shown. */
export interface WorkerTelemetry {
  /** Undefined where nobody can read it. */
  readonly metrics: WorkerMetrics | undefined;
  readonly gauges: Gauges;
  close(): Promise<void>;
}

/**
 * The figures of a worker: among those of its process, where something beside the worker shows them, or on a
 * port of their own, where one is configured. Where nobody can read them none are kept, nor what keeps them
 * loaded, which is a seventh of a worker's memory.
 * @param shown those of the process
 * @throws as `openMetricsListener`
 */
export async function openMetrics(config: Config, log: Logger, shown?: Metrics): Promise<WorkerTelemetry> {
  if (shown === undefined && config.metricsPort === null)
    return { metrics: undefined, gauges: new Gauges(), close: async () => undefined };
  const [{ createMetrics }, { openMetricsListener }, { createWorkerMetrics }] = await Promise.all([
    import('../src/telemetry/metrics.ts'),
    import('../src/telemetry/metrics-listener.ts'),
    import('../src/telemetry/worker-counters.ts'),
  ]);
  const metrics = shown ?? createMetrics();
  const listener = shown === undefined ? await openMetricsListener({ config, metrics, log }) : null;
  return {
    metrics: createWorkerMetrics(metrics),
    gauges: metrics.gauges,
    close: async () => {
      await listener?.close();
    },
  };
}
