import { Counter, Histogram } from '@prometheus-io/client';
import type { FeedMetrics } from './feed-metrics.ts';
import type { Metrics } from './metrics.ts';

const AGE_BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The feed's figures in the registry of a process; to be made once for it. */
export function createFeedMetrics({ registry, readAt }: Metrics): FeedMetrics {
  const registers = [registry];
  const counter = (name: string, help: string) =>
    new Counter({ name: `millrace_feed_${name}_total`, help, registers });
  const deliveries = counter('deliveries', 'Frames handed to subscribers.');
  const executions = counter('executions', 'Selection sets executed for events: one a group and batch.');
  const slowCloses = counter('slow_closes', 'Subscriptions ended because their consumer was too slow.');
  const expiredCloses = counter('expired_closes', 'Streams ended because a credential ended.');
  const violations = counter(
    'tenant_assert_violations',
    'Events of another tenant that were stopped before they went out. Always 0.',
  );
  const missed = counter(
    'missed_notifications',
    'Changes that a poll found and no notification had announced.',
  );
  const age = new Histogram({
    name: 'millrace_feed_event_age_seconds',
    help: 'From the commit of a change, or the snapshot that showed it, to its sending.',
    buckets: AGE_BUCKETS_SECONDS,
    registers,
  });
  return {
    delivered: (count) => deliveries.inc(count),
    executed: () => executions.inc(),
    // Two machines' clocks may differ: an event from the future is a new one.
    eventAge: (seconds) => age.observe(Math.max(0, seconds)),
    slowClosed: () => slowCloses.inc(),
    expiredClosed: () => expiredCloses.inc(),
    tenantAssertViolated: () => violations.inc(),
    notificationMissed: () => missed.inc(),
    observe: (state) => {
      readAt('millrace_feed_subscribers', 'Subscriptions under way.', () => state.subscriberCount());
      readAt('millrace_feed_groups', 'Groups of subscriptions that share an execution.', () =>
        state.groupCount(),
      );
      readAt(
        'millrace_feed_tailer_lag_seconds',
        'Since the last complete look at what has changed; 0 while nobody watches.',
        () => state.tailerLagSeconds() ?? 0,
      );
    },
  };
}
