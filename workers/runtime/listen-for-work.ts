import { CANCEL_CHANNEL, WORK_CHANNEL } from '../../src/db/channels.ts';
import type { CancelWatch } from './cancel-watch.ts';
import type { WorkerDeps, WorkerOptions } from './running-worker.ts';
import type { WakeTurns } from './wake-turns.ts';
import type { Wakeup } from './wakeup.ts';

/** What notifications lead to. */
export interface WorkListeners {
  readonly workerId: string;
  readonly turns: WakeTurns;
  readonly wakeup: Wakeup;
  readonly cancelWatch: CancelWatch;
}

/** Hears of work and of cancels. @returns what ends it */
export function listenForWork(
  listener: WorkerDeps['listener'],
  { workerId, turns, wakeup, cancelWatch }: WorkListeners,
): readonly (() => void)[] {
  return [
    listener.on(WORK_CHANNEL, (payload) => turns.notified(payload)),
    listener.on(CANCEL_CHANNEL, (payload) => {
      if (payload === workerId || payload === '') cancelWatch.look();
    }),
    // What was notified while the connection was away is lost.
    listener.onConnect(() => {
      wakeup.signal();
      cancelWatch.look();
    }),
  ];
}

/**
 * How long a worker waits now for a notification, milliseconds: where it can hear none, others wait for its
 * look.
 */
export function pollMsOf(
  { listener }: WorkerDeps,
  { pollMs = 500, listeningPollMs = pollMs }: WorkerOptions,
): number {
  return listener.connected ? listeningPollMs : pollMs;
}
