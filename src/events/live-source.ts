/**
 * A subscription that somebody takes from in batches to share what comes among many. Several of one kind,
 * begun at different times, can be continued as one.
 */
export interface LiveSource<Event> {
  /**
   * True once there may be something to take, false once it has ended. Rejects when it cannot be read; it has
   * ended then.
   */
  ready(): Promise<boolean>;
  /** What there is now, at most N; may be nothing. Waits for nothing. */
  take(limit: number): Event[];
  /**
   * When the oldest change that waits here was seen, ms on the monotonic clock; null when nothing waits
   * or it was read.
   */
  readonly heardAtMs: number | null;
  /** What it began with, the state or what had been missed, has been taken; from here on it follows. */
  readonly isCaughtUp: boolean;
  /**
   * True when a consumer that has taken from `other` until now can go on here without missing anything. Both
   * are of one topic.
   */
  covers(other: this): boolean;
  /** Those who took from `other` go on here. */
  adopt(other: this): void;
  /** Ends it, whatever it is doing. */
  end(): void;
}
