import type { WorkerQueue } from '../../src/core/queue.ts';
import type { Run } from './run.ts';

/**
 * A start that lags behind its claim by more than this is noted; otherwise the claim's time is near enough.
 */
const NOTE_START_AFTER_MS = 250;

/**
 * When to note the start of a run that begins now: where it is noticeably later than its claim, if it takes
 * long enough for anybody to see it, so a quarter of a second after it. The settlement says the exact time.
 * Infinite where there is nothing to note.
 */
export function noteStartAtMs(run: Run, nowMs: number): number {
  return run.claimed.job.startedAt !== null && nowMs - run.claimedAtMs < NOTE_START_AFTER_MS
    ? Number.POSITIVE_INFINITY
    : nowMs + NOTE_START_AFTER_MS;
}

/**
 * Notes it, beside the handler: a commit more is a third of what a small job costs. A lease that is gone
 * after all aborts the handler.
 */
export function noteStart(run: Run, queue: Pick<WorkerQueue, 'start'>): void {
  queue.start(run.claimed.lease).then(
    (ours) => {
      if (!ours) run.lose();
    },
    // The settlement carries the time of the start as well.
    () => undefined,
  );
}
