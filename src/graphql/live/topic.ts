import type { LiveSource } from '../../events/live-source.ts';

/**
 * What one event becomes: the root value of an execution, and whether the stream ends with it: anyway, or
 * when the field is null by then.
 * Null: nothing is sent.
 */
export type Presented = {
  readonly value: unknown;
  readonly isLast?: boolean;
  readonly isLastIfNull?: boolean;
} | null;

export interface OpenTopic<Event, Source extends LiveSource<Event>> {
  readonly source: Source;
  /** @throws DomainError when the stream cannot go on for anybody */
  readonly present: (event: Event) => Presented;
  /** What a client that has received this event comes back with; null: nothing leads to its middle. */
  readonly cursorOf: (event: Event) => string | null;
  /** It is kept for slow takers, since it cannot be read again. */
  readonly isKept: (event: Event) => boolean;
}

/**
 * What a subscription field's `subscribe` gives in place of a source: which source, so that all who ask for
 * the same share one. Iterable in name only: the execution opens it.
 */
export class Topic<Event, Source extends LiveSource<Event>> implements AsyncIterable<never> {
  /** Equal for sources that bring the same, wherever they begin. */
  readonly key: string;
  /** Where the subscriber goes on; null begins with the state. */
  readonly after: string | null;
  readonly open: (after: string | null) => OpenTopic<Event, Source>;

  constructor(key: string, after: string | null, open: (after: string | null) => OpenTopic<Event, Source>) {
    this.key = key;
    this.after = after;
    this.open = open;
  }

  [Symbol.asyncIterator](): AsyncIterator<never> {
    throw new TypeError('A topic is opened by the execution of its subscription');
  }
}
