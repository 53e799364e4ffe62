import { type NotifyQueueRow, readNotifyQueue } from './db/sql/feed/read-notify-queue.ts';
import type { Feed } from './events/feed.ts';
import type { Fanout } from './fanout/fanout.ts';
import type { ServerConnections } from './open-connections.ts';
import { measureDepth } from './queue/measure-depth.ts';
import type { FeedMetrics } from './telemetry/feed-metrics.ts';
import type { Logger } from './telemetry/log.ts';
import type { Metrics } from './telemetry/metrics.ts';
import { addNotifyQueueMetric } from './telemetry/notify-queue-metric.ts';
import { addQueueMetrics } from './telemetry/queue-metrics.ts';

/**
 * @returns how many receive changes. A source of the feed that is shared is one stream there, however many
 *   receive from it
 */
export function showSubscribers(metrics: FeedMetrics, feed: Feed, fanout: Fanout): () => number {
  const subscriberCount = (): number => feed.memberCount - fanout.streamCount + fanout.subscriberCount;
  metrics.observe({
    subscriberCount,
    groupCount: () => fanout.groupCount,
    tailerLagSeconds: () => feed.lagSeconds,
  });
  return subscriberCount;
}

/** Figures that are read when somebody asks for them. */
export function showState(metrics: Metrics, { database, listener }: ServerConnections, log: Logger): void {
  metrics.readAt(
    'millrace_feed_polling',
    '1 while changes are found by polling alone, since LISTEN is unavailable.',
    () => (listener.mode === 'polling' ? 1 : 0),
  );
  addQueueMetrics(metrics, { measure: () => measureDepth(database), log });
  addNotifyQueueMetric(metrics, async () => {
    const { rows } = await database.asWorker<NotifyQueueRow>(readNotifyQueue, []);
    return rows[0]?.usage ?? 0;
  });
}
