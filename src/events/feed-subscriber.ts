import type { Change } from './change.ts';
import type { Position } from './position.ts';
import type { ResyncReason } from './resume.ts';
import type { Semaphore } from './semaphore.ts';
import type { StateReader } from './state-reader.ts';

/** What the hub calls on a subscription while it is attached. None of it waits or throws. */
export interface FeedSubscriber {
  readonly tenantId: string;
  /** The only jobs whose changes matter to it; null when others may. */
  readonly jobIds: readonly string[] | null;
  /**
   * A change of this tenant after `before`; true when the subscriber keeps it, and
   * expects `rangeEnded` for its range.
   */
  accept(change: Change, before: Position): boolean;
  /** The range of a change that was kept is complete; the host's position is its end. */
  rangeEnded(): void;
  /** The server was restarted; the host's position is further back than before. */
  restarted(): void;
  /** There is no way on from where the tail stood. */
  lost(reason: ResyncReason): void;
  /** Time passes: send a later cursor if none has been sent for this long. */
  refresh(olderThanMs: number): void;
  /** The process stops: end the stream. */
  end(): void;
}

/** What a subscription needs of the hub. */
export interface SubscriptionHost {
  readonly states: StateReader;
  /** Room for reads of single subscribers. */
  readonly reads: Semaphore;
  /** Up to where the tail has been handed out. */
  readonly position: Position;
  /** When the changes that are being handed out were seen, ms on the monotonic clock. */
  readonly heardAtMs: number;
  /** From now on the member counts, until `leave`. */
  join(subscriber: FeedSubscriber): void;
  leave(subscriber: FeedSubscriber): void;
  /** Resolves when the tail stands somewhere and each later change of it will come to the member. */
  attach(subscriber: FeedSubscriber): Promise<void>;
  detach(subscriber: FeedSubscriber): void;
  /** Logs that a read failed, now and then. */
  readFailed(error: Error): void;
  readSucceeded(): void;
}
