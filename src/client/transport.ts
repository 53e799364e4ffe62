import type { MillraceError } from './error.ts';
import type { ServerError } from './server-errors.ts';

/** What a transport sends for one subscription. */
export interface SubscriptionRequest {
  readonly name: string;
  readonly text: string;
  /** Asked for each connection again: where the stream goes on. */
  variables(): object;
}

export interface SubscriptionResult {
  readonly data?: unknown;
  readonly errors?: readonly ServerError[] | undefined;
}

/**
 * Hears of one subscription. Nothing is called before `subscribe` has returned, nor after `ended` or after
 * leaving.
 */
export interface Sink {
  /** The server has the subscription. */
  opened(): void;
  next(result: SubscriptionResult): void;
  /** It is over; null when the server said that it is complete. */
  ended(why: MillraceError | null): void;
}

/** A way to subscribe. It never tries again by itself. */
export interface Transport {
  /** @returns leaves at once: the server is notified, the sink hears no more */
  subscribe(request: SubscriptionRequest, sink: Sink): () => void;
  close(): void;
}
