import { CANCEL_CHANNEL, WATCH_CHANNEL, WORK_CHANNEL } from '../db/channels.ts';
import type { Notifier } from '../db/notifier.ts';
import type { LockedJobRow } from '../db/sql/queue/lock-jobs.ts';

/**
 * Notifies the workers that run these jobs, which were asked to stop, and the watchers. To be called after
 * the commit.
 */
export function notifyCanceled(notifier: Notifier, touched: readonly LockedJobRow[]): void {
  const workerIds = new Set(touched.map((row) => (row.status === 'running' ? row.claimed_by_worker : null)));
  for (const workerId of workerIds) if (workerId !== null) notifier.notify(CANCEL_CHANNEL, workerId);
  notifier.notify(WATCH_CHANNEL);
}

/** Those who wait for work and for changes. */
export const READY_CHANNELS = [WORK_CHANNEL, WATCH_CHANNEL] as const;

/** Something that only watchers see has changed. To be called after the commit. */
export function notifyWatchers(notifier: Notifier): void {
  notifier.notify(WATCH_CHANNEL);
}

/**
 * Something may be ready now that was not, or may run that might not. To be called after the commit.
 * @param jobs how many, which is how many workers are woken at once; with more to do than expected they wake
 *   others
 */
export function notifyReady(notifier: Notifier, jobs = 1): void {
  if (jobs > 1) notifier.notify(WORK_CHANNEL, `/${jobs}`);
  else notifier.notify(WORK_CHANNEL);
  notifier.notify(WATCH_CHANNEL);
}
