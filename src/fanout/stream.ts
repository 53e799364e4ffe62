import type { LiveSource } from '../events/live-source.ts';
import type { Frame } from './frame.ts';
import type { Carrier, Subscriber } from './subscriber.ts';

/** Events that are taken at a time. */
const MAX_BATCH = 200;

/**
 * Renders events in order, in one snapshot: all, or the first ones of them, where they are large. None once
 * `isOver`. Rejects when the stream cannot go on for anybody.
 */
export type Render<Event> = (events: readonly Event[], isOver: () => boolean) => Promise<readonly Frame[]>;

export interface StreamOptions<Event, Source extends LiveSource<Event>> {
  readonly source: Source;
  readonly render: Render<Event>;
  /**
   * Called whenever nothing is being rendered: before each batch is taken, after each was sent, and when it
   * stalls.
   */
  readonly onRest: (stream: Stream<Event, Source>) => void;
  /** Nobody receives from it any more, or it has ended. */
  readonly onEmpty: (stream: Stream<Event, Source>) => void;
  readonly onSent: (sentCount: number, heardAtMs: number | null) => void;
  readonly toError: (error: unknown) => Error;
}

/** One source, and everybody who receives what it brings. */
export class Stream<Event, Source extends LiveSource<Event>> implements Carrier {
  readonly #options: StreamOptions<Event, Source>;
  readonly #subscribers = new Set<Subscriber>();
  #isRendering = false;
  /** Taken, and not rendered yet. */
  #left: readonly Event[] = [];
  #heardAtMs: number | null = null;
  /** Goes on with it; null while it is not stalled. */
  #goOn: (() => void) | null = null;

  constructor(options: StreamOptions<Event, Source>) {
    this.#options = options;
  }

  get source(): Source {
    return this.#options.source;
  }

  get subscriberCount(): number {
    return this.#subscribers.size;
  }

  /** Nothing has been taken that is not yet sent. */
  get isResting(): boolean {
    return !this.#isRendering && this.#left.length === 0;
  }

  /**
   * All who are here still hold a state that their sinks do not take: more of it would only be held as well.
   */
  get isStalled(): boolean {
    return this.#goOn !== null;
  }

  add(subscriber: Subscriber): void {
    this.#subscribers.add(subscriber);
    subscriber.carrier = this;
    this.#goOn?.();
  }

  caughtUp(): void {
    this.#goOn?.();
  }

  leave(subscriber: Subscriber): void {
    this.#goOn?.();
    if (!this.#subscribers.delete(subscriber) || this.#subscribers.size > 0) return;
    this.#options.source.end();
    this.#options.onEmpty(this);
  }

  /** All subscribers go on with `other`; this ends. */
  moveTo(other: Stream<Event, Source>): void {
    this.#goOn?.();
    other.source.adopt(this.source);
    for (const subscriber of this.#subscribers) other.add(subscriber);
    this.#subscribers.clear();
    this.#options.source.end();
    this.#options.onEmpty(this);
  }

  /** Until the source ends or nobody is left. */
  async run(): Promise<void> {
    const { source } = this.#options;
    try {
      while (this.#left.length > 0 || (await source.ready())) {
        while (this.#isFull()) await this.#stall();
        await this.#bringBatch();
      }
      this.#endAll(null);
    } catch (error) {
      source.end();
      this.#endAll(this.#options.toError(error));
    }
  }

  #isFull(): boolean {
    for (const subscriber of this.#subscribers) if (!subscriber.isHolding) return false;
    return this.#subscribers.size > 0;
  }

  async #stall(): Promise<void> {
    const goOn = Promise.withResolvers<void>();
    this.#goOn = goOn.resolve;
    this.#options.onRest(this);
    await goOn.promise;
    this.#goOn = null;
  }

  async #bringBatch(): Promise<void> {
    const { render, onRest, onSent } = this.#options;
    // Others join here, so that what they have seen is never newer than what is read for them from now on.
    onRest(this);
    const events = this.#take();
    if (events.length === 0) return;
    this.#isRendering = true;
    let frames: readonly Frame[];
    try {
      frames = await render(events, () => this.#subscribers.size === 0);
    } finally {
      this.#isRendering = false;
    }
    const nowMs = Date.now();
    let sentCount = 0;
    // Who leaves meanwhile deletes itself, which a Set's iteration allows.
    for (const subscriber of this.#subscribers) sentCount += subscriber.deliver(frames, nowMs);
    if (sentCount > 0) onSent(sentCount, this.#heardAtMs);
    if (this.#subscribers.size === 0) return;
    this.#left = frames.at(-1)?.isLast === true ? [] : events.slice(frames.length);
    onRest(this);
  }

  /** What is left of the batch before, or the next one. */
  #take(): readonly Event[] {
    const left = this.#left;
    this.#left = [];
    if (left.length > 0) return left;
    const { source } = this.#options;
    this.#heardAtMs = source.heardAtMs;
    return source.take(MAX_BATCH);
  }

  #endAll(why: Error | null): void {
    for (const subscriber of [...this.#subscribers]) subscriber.end(why);
  }
}
