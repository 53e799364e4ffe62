import type { Duty } from '../../src/core/duty.ts';
import type { MaintenanceQueue } from '../../src/core/maintenance-queue.ts';
import type { Gauges } from '../../src/telemetry/gauges.ts';

/** Nobody needs the exact number of a long queue as much as a short answer. */
const COUNTED_AT_MOST = 10_000;
const WORKER_SEEN_SECONDS = 30;

/** Names of the figures below. */
export const HEALTH_GAUGES = ['millrace_waiting_jobs', 'millrace_doomed_jobs', 'millrace_workers'] as const;

/** Measures how the queue stands, for the metrics: only what costs the same however long it is. */
export function healthDuty(queue: Pick<MaintenanceQueue, 'measure'>, gauges: Gauges): Duty {
  return {
    name: 'measure',
    everyMs: 10_000,
    run: async () => {
      const { waitingCount, pendingCancelCount, workerCount } = await queue.measure(
        COUNTED_AT_MOST,
        WORKER_SEEN_SECONDS,
      );
      gauges.set(
        'millrace_waiting_jobs',
        `Queued jobs that wait for their time, a limit or a worker; counted up to ${COUNTED_AT_MOST}.`,
        waitingCount,
      );
      gauges.set(
        'millrace_doomed_jobs',
        `Queued jobs that are to end without running; counted up to ${COUNTED_AT_MOST}.`,
        pendingCancelCount,
      );
      gauges.set('millrace_workers', `Worker processes seen within ${WORKER_SEEN_SECONDS} s.`, workerCount);
      return {};
    },
  };
}
