import { statement } from '../../statement.ts';

/**
 * How full the cluster's queue of notifications is, 0 to 1. To ask also frees what every listener has read.
 * Locks nothing that lasts; no index.
 */
export const readNotifyQueue = statement(
  'read_notify_queue',
  'select pg_notification_queue_usage()::float8 as usage',
);

export interface NotifyQueueRow {
  readonly usage: number;
}
