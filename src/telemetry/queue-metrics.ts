import { Gauge } from '@prometheus-io/client';
import { toError } from '../core/errors.ts';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';
import { within } from './within.ts';

/** How the jobs of one definition stand. */
export interface DefinitionDepth {
  readonly key: string;
  readonly ready: number;
  readonly scheduled: number;
  readonly blocked: number;
  readonly running: number;
  /** How long the oldest ready job could have been claimed; null when none is ready. */
  readonly oldestReadySeconds: number | null;
}

export interface QueueMetricsOptions {
  readonly measure: () => Promise<readonly DefinitionDepth[]>;
  readonly log: Logger;
  /** A measurement younger than this is shown again, however many ask; 5,000 by default. */
  readonly reuseMs?: number;
  /** After this long the answer goes out without; 2,000 by default. */
  readonly timeoutMs?: number;
}

/**
 * Adds the depth of the queue to the figures of a process: measured when somebody asks, and not more often
 * than `reuseMs`. While the database is away its figures are absent: an old value would be taken for a true
 * one.
 */
export function addQueueMetrics({ registry }: Metrics, options: QueueMetricsOptions): void {
  const registers = [registry];
  const depth = measured(options);
  new Gauge({
    name: 'millrace_queue_jobs',
    help: 'Unfinished jobs by definition and state, each counted up to 10,000.',
    labelNames: ['definition', 'state'],
    registers,
    async collect() {
      const all = await depth();
      this.reset();
      for (const { key, ready, scheduled, blocked, running } of all) {
        for (const [state, count] of Object.entries({ ready, scheduled, blocked, running }))
          this.set({ definition: key, state }, count);
      }
    },
  });
  new Gauge({
    name: 'millrace_queue_oldest_ready_seconds',
    help: 'How long the oldest ready job of a definition has waited, among those that are counted; 0 when none waits.',
    labelNames: ['definition'],
    registers,
    async collect() {
      const all = await depth();
      this.reset();
      for (const { key, oldestReadySeconds } of all)
        this.set({ definition: key }, Math.max(0, oldestReadySeconds ?? 0));
    },
  });
}

/** The newest measurement; empty when there is none in time. */
function measured({
  measure,
  log,
  reuseMs = 5_000,
  timeoutMs = 2_000,
}: QueueMetricsOptions): () => Promise<readonly DefinitionDepth[]> {
  let current: Promise<readonly DefinitionDepth[]> | undefined;
  let startedMs = 0;
  return () => {
    const nowMs = performance.now();
    if (current === undefined || nowMs - startedMs > reuseMs) {
      startedMs = nowMs;
      current = within(measure(), timeoutMs).catch((error: unknown) => {
        log.debug({ reason: toError(error).message }, 'metrics: the queue could not be measured');
        return [];
      });
    }
    return current;
  };
}
