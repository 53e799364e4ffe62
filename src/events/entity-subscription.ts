import type { Change } from './change.ts';
import type { FeedSubscriber, SubscriptionHost } from './feed-subscriber.ts';
import type { LiveSource } from './live-source.ts';
import { Wake } from './wake.ts';

/**
 * The stream of one thing: an event at once, then one after every change about it, merged while the consumer
 * is busy. It has no cursor, since each event stands for the whole state.
 */
export class EntitySubscription<Event>
  implements AsyncIterableIterator<Event, undefined>, LiveSource<Event>, FeedSubscriber
{
  readonly tenantId: string;
  readonly jobIds = null;
  readonly #event: Event;
  readonly #isAbout: (change: Change) => boolean;
  readonly #host: SubscriptionHost;
  readonly #wake = new Wake();
  #phase: 'new' | 'live' | 'ended' = 'new';
  #isDue = false;
  #isBegun = false;
  #heardAtMs: number | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  /**
   * @param event what it yields each time
   * @param isAbout whether a change of the tenant is one of the thing
   */
  constructor(host: SubscriptionHost, tenantId: string, event: Event, isAbout: (change: Change) => boolean) {
    this.#host = host;
    this.tenantId = tenantId;
    this.#event = event;
    this.#isAbout = isAbout;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Event, undefined>> {
    const turn = this.#turn.then(() => this.#next());
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  return(): Promise<IteratorResult<Event, undefined>> {
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  end(): void {
    this.#phase = 'ended';
    this.#host.leave(this);
    this.#wake.signal();
  }

  async #next(): Promise<IteratorResult<Event, undefined>> {
    const [event] = (await this.ready()) ? this.take() : [];
    return event === undefined ? { done: true, value: undefined } : { done: false, value: event };
  }

  async ready(): Promise<boolean> {
    if (this.#phase === 'new') {
      this.#phase = 'live';
      this.#host.join(this);
      // The event says "look now", and looking after being attached misses nothing.
      void this.#host.attach(this).then(() => this.#signal());
    }
    while (!this.#isDue && !this.#isEnded()) await this.#wake.wait();
    return !this.#isEnded();
  }

  take(): Event[] {
    if (!this.#isDue) return [];
    this.#isDue = false;
    this.#isBegun = true;
    this.#heardAtMs = null;
    return [this.#event];
  }

  get isCaughtUp(): boolean {
    return this.#isBegun;
  }

  get heardAtMs(): number | null {
    return this.#heardAtMs;
  }

  /**
   * Each event stands for the whole, so a client that has had one may go on with the next of any stream of
   * this thing.
   */
  covers(other: EntitySubscription<Event>): boolean {
    return other.#isBegun && (this.#isDue || !other.#isDue);
  }

  adopt(): void {}

  #signal(): void {
    this.#isDue = true;
    this.#wake.signal();
  }

  accept(change: Change): boolean {
    if (!this.#isAbout(change)) return false;
    this.#heardAtMs ??= this.#host.heardAtMs;
    this.#signal();
    return false;
  }

  rangeEnded(): void {}

  restarted(): void {
    this.#signal();
  }

  lost(): void {
    this.#signal();
  }

  refresh(): void {}

  /** A method, since the compiler would not believe that the phase can change during a wait. */
  #isEnded(): boolean {
    return this.#phase === 'ended';
  }
}
