import type { CursorTarget } from './cursor.ts';
import type { SubscriptionHost } from './feed-subscriber.ts';
import type { ListKind, Trace } from './list-kind.ts';

/** What one subscriber's stream of a list is opened with. */
export interface ListSubscriptionOptions<T extends Trace, Event> {
  readonly host: SubscriptionHost;
  readonly kind: ListKind<T, Event>;
  /** Where to go on; null starts with the initial state. */
  readonly after: CursorTarget | null;
  /**
   * Things that may wait to be taken; with more, all are dropped and read again once the consumer is ready.
   */
  readonly maxPending: number;
  readonly pageSize: number;
}
