import type { Duty } from '../../src/core/duty.ts';
import type { Database } from '../../src/db/database.ts';
import { type NotifyQueueRow, readNotifyQueue } from '../../src/db/sql/feed/read-notify-queue.ts';
import { measureQueue, type QueueMeasureRow } from '../../src/db/sql/maintenance/measure-queue.ts';
import type { Gauges } from '../../src/telemetry/gauges.ts';

/** Nobody needs the exact number of a long queue as much as a short answer. */
const COUNTED_AT_MOST = 10_000;
const WORKER_SEEN_SECONDS = 30;

/** Names of the figures below. */
export const HEALTH_GAUGES = ['millrace_waiting_jobs', 'millrace_doomed_jobs', 'millrace_workers'] as const;

/** Measures how the queue stands, for the metrics: only what costs the same however long it is. */
export function healthDuty(database: Database, gauges: Gauges): Duty {
  return {
    name: 'measure',
    everyMs: 10_000,
    run: async () => {
      const { rows } = await database.asWorker<QueueMeasureRow>(measureQueue, [
        COUNTED_AT_MOST,
        WORKER_SEEN_SECONDS,
      ]);
      const {
        waiting_count: waiting = 0,
        doomed_count: pendingCancels = 0,
        worker_count: workers = 0,
      } = rows[0] ?? {};
      gauges.set(
        'millrace_waiting_jobs',
        `Queued jobs that wait for their time, a limit or a worker; counted up to ${COUNTED_AT_MOST}.`,
        waiting,
      );
      gauges.set(
        'millrace_doomed_jobs',
        `Queued jobs that are to end without running; counted up to ${COUNTED_AT_MOST}.`,
        pendingCancels,
      );
      // Frees the queue of notifications once nobody holds it up any more, where nobody else notifies or
      // measures.
      await database.asWorker<NotifyQueueRow>(readNotifyQueue, []);
      gauges.set('millrace_workers', `Worker processes seen within ${WORKER_SEEN_SECONDS} s.`, workers);
      return {};
    },
  };
}
