/**
 * What the feed and its transports count. Implemented over the process's registry; `NO_FEED_METRICS` where
 * nobody reads it. Every call is a plain addition: it may stand in the innermost loop, and never throws.
 */
export interface FeedMetrics {
  /** Frames handed to subscribers' connections; one frame to 10,000 subscribers counts 10,000. */
  delivered(count: number): void;
  /** Selection sets executed for events: one a group and batch, however many subscribers share it. */
  executed(): void;
  /**
   * How old the change (or the snapshot that showed it) was when it was sent, in seconds; once a frame, not
   * once a subscriber.
   */
  eventAge(seconds: number): void;
  /** A subscription was ended because its consumer stayed too far behind. */
  slowClosed(): void;
  /** A subscription or socket was ended because its credential expired or was revoked. */
  expiredClosed(): void;
  /** An event of another tenant was about to go out and was dropped. Anything but 0 is a defect. */
  tenantAssertViolated(): void;
  /** A poll found a change that no notification had announced although LISTEN was in force. */
  notificationMissed(): void;
  /**
   * Says where the figures of this moment are read, once a process. Called at each reading of the metrics, so
   * it must be cheap.
   */
  observe(state: FeedState): void;
}

/** Figures that are read when somebody asks for them. */
export interface FeedState {
  /** Subscriptions under way. */
  subscriberCount(): number;
  /** Groups that share one execution. */
  groupCount(): number;
  /**
   * How long ago the position was read up to which everything has been handed out; null while nobody watches.
   */
  tailerLagSeconds(): number | null;
}

/** Counts nothing: for tests and programs that show no metrics. */
export const NO_FEED_METRICS: FeedMetrics = Object.freeze({
  delivered: () => undefined,
  executed: () => undefined,
  eventAge: () => undefined,
  slowClosed: () => undefined,
  expiredClosed: () => undefined,
  tenantAssertViolated: () => undefined,
  notificationMissed: () => undefined,
  observe: () => undefined,
});
