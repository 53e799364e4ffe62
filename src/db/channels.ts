/**
 * Something became ready to run now. The payload says whose turn it is: `<any text>/<jobs>`, one job without
 * the second part; empty: everybody's (see `workers/runtime/wake-turns.ts`). Who notifies gives nothing or
 * `/<jobs>`; the statement that sends it puts its transaction in front.
 */
export const WORK_CHANNEL = 'millrace_work';
/** A row that watchers may care about has changed. */
export const WATCH_CHANNEL = 'millrace_watch';
/** Somebody asked to cancel a running job; the payload is the id of the worker that runs it. */
export const CANCEL_CHANNEL = 'millrace_cancel';
/** A token, key or member was revoked or changed; open streams check theirs again. */
export const IDENTITY_CHANNEL = 'millrace_identity';
/** Jobs have new log lines; the payload names them (see `log-notification.ts`). */
export const LOG_CHANNEL = 'millrace_log';

/** An event was written that triggers may listen to. */
export const EVENT_CHANNEL = 'millrace_events';

export type Channel =
  | typeof WORK_CHANNEL
  | typeof WATCH_CHANNEL
  | typeof CANCEL_CHANNEL
  | typeof IDENTITY_CHANNEL
  | typeof LOG_CHANNEL
  | typeof EVENT_CHANNEL;
