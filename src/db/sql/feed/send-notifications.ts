import { WORK_CHANNEL } from '../../channels.ts';
import { statement } from '../../statement.ts';

/**
 * Notifies channels: $1 their names, $2 the payload of each. One statement, so one commit, however many
 * notifications were merged.
 * Locks: the cluster-wide lock of NOTIFY at commit, which is why it never runs inside a transaction that
 * writes. Index: none. NOTIFY takes a transaction id, so its commit would wait for the disk: with nothing
 * written there is nothing to be lost, and a notification that a crash swallows is latency. Local to this one
 * transaction, since a pooler may hand the session on.
 * No row: the queue of notifications is half full or more (see can_notify), and nothing was sent.
 * Work is announced with a number in front that no other notification has: it says whose turn it is.
 * Runs as the login, which has no right to our schema.
 */
export const sendNotifications = statement(
  'send_notifications',
  `
with unhurried as materialized (select set_config('synchronous_commit', 'off', true))
select pg_notify(sent.channel, case when sent.channel = '${WORK_CHANNEL}' then pg_current_xact_id()::text else '' end || sent.payload)
from unhurried, unnest($1::text[], $2::text[]) as sent (channel, payload)
where pg_notification_queue_usage() < 0.5`,
);
