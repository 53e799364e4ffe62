import type { Operation } from './operation.ts';
import type { StreamSpec, Taken } from './stream-spec.ts';

/** What lists of all kinds send beside their rows, as far as a watch looks at it. */
type FeedEvent =
  | { readonly __typename: 'FeedReady' | 'FeedCheckpoint'; readonly cursor: string }
  | { readonly __typename: 'ResyncRequired'; readonly reason: string };

/** An event of a list. Those of rows are named `<Type>Updated`, `<Type>Left` and `<Type>Removed`. */
type ListEvent = FeedEvent | { readonly __typename: string; readonly cursor: string };

/** The same of a watch: a `ResyncRequired` may also have a reason of the client's own. */
export type WatchedEvent<Event extends { readonly __typename: string }> =
  | Exclude<Event, { readonly __typename: 'ResyncRequired' }>
  | Resync<Extract<Event, { readonly __typename: 'ResyncRequired' }>>;

type Resync<Event> = Event extends { readonly reason: infer Reason }
  ? Omit<Event, 'reason'> & { readonly reason: Reason | 'INTERRUPTED' }
  : never;

interface ListVariables<Filter> {
  readonly filter?: Filter | null | undefined;
  readonly after?: string | null | undefined;
}

/** Which list of the API, and how its events are read. */
export interface ListKind<Result, Filter, Event> {
  readonly operation: Operation<Result, ListVariables<Filter>>;
  readonly read: (result: Result) => Event;
}

/**
 * The course of a live list. Cursors count from `FeedReady` on. An initial state that broke off begins again,
 * and since a row of its first part may be gone by then, the reader has to forget that part: a
 * `ResyncRequired` with the reason `INTERRUPTED`, of the client's own.
 */
export class ListStreamSpec<Result, Filter, Event extends ListEvent>
  implements StreamSpec<Result, ListVariables<Filter>, WatchedEvent<Event>>
{
  readonly operation: Operation<Result, ListVariables<Filter>>;
  readonly #read: (result: Result) => Event;
  readonly #filter: Filter | null;
  #after: string | null;
  #isInitial: boolean;
  #hasShown = false;
  #owesResync = false;

  constructor(
    { operation, read }: ListKind<Result, Filter, Event>,
    filter: Filter | null,
    after: string | null,
  ) {
    this.operation = operation;
    this.#read = read;
    this.#filter = filter;
    this.#after = after;
    this.#isInitial = after === null;
  }

  get cursor(): string | null {
    return this.#after;
  }

  variables(): ListVariables<Filter> {
    this.#owesResync = this.#isInitial && this.#hasShown;
    return { filter: this.#filter, after: this.#after };
  }

  take(result: Result): Taken<WatchedEvent<Event>> {
    const event = this.#read(result);
    const values: unknown[] = [];
    if (this.#owesResync) values.push({ __typename: 'ResyncRequired', reason: 'INTERRUPTED' });
    this.#owesResync = false;
    values.push(event);
    this.#move(event);
    return { values: values as WatchedEvent<Event>[] };
  }

  goOnFrom(cursor: string): void {
    if (!this.#isInitial) this.#after = cursor;
  }

  #move(event: ListEvent): void {
    if (!('cursor' in event)) {
      this.#after = null;
      this.#isInitial = true;
      this.#hasShown = false;
      return;
    }
    if (event.__typename === 'FeedReady') this.#isInitial = false;
    if (this.#isInitial) this.#hasShown = true;
    else this.#after = event.cursor;
  }
}
