import type { LiveSource } from '../events/live-source.ts';
import { type Render, Stream } from './stream.ts';
import type { Carrier, Subscriber } from './subscriber.ts';

export interface Opened<Event, Source extends LiveSource<Event>> {
  readonly source: Source;
  readonly render: Render<Event>;
}

/** What subscribers share who asked the same question with the same rights. */
export interface GroupOptions<Event, Source extends LiveSource<Event>> {
  /** Begins with the state, or after a cursor; with what renders the events of this one source. */
  readonly open: (after: string | null) => Opened<Event, Source>;
  /** What subscribers get for a failure; once for all of them. */
  readonly toError: (error: unknown) => Error;
  readonly onSent: (sentCount: number, heardAtMs: number | null) => void;
  /** Nobody is left. */
  readonly onEmpty: () => void;
}

/** Beginnings that are read at a time; those who come meanwhile share the next one. */
const MAX_BEGINNINGS = 2;

/**
 * Subscribers of one question. One stream, the main one, follows; each newcomer is brought to where it stands
 * by a stream of its own (a beginning), which is shared by all who come with the same cursor while it has not
 * begun.
 */
export class Group<Event, Source extends LiveSource<Event>> implements Carrier {
  readonly #options: GroupOptions<Event, Source>;
  readonly #streams = new Set<Stream<Event, Source>>();
  /** Those for whom no stream has begun yet, by their cursor. */
  readonly #waiting = new Map<string | null, Set<Subscriber>>();
  #main: Stream<Event, Source> | null = null;

  constructor(options: GroupOptions<Event, Source>) {
    this.#options = options;
  }

  get streamCount(): number {
    return this.#streams.size;
  }

  /** From its cursor on, the subscriber receives everything. */
  join(subscriber: Subscriber): void {
    const { cursor } = subscriber;
    const waiting = this.#waiting.get(cursor);
    if (waiting === undefined) this.#waiting.set(cursor, new Set([subscriber]));
    else waiting.add(subscriber);
    subscriber.carrier = this;
    this.#begin();
  }

  caughtUp(): void {}

  /** Removes a subscriber that still waits. */
  leave(subscriber: Subscriber): void {
    const waiting = this.#waiting.get(subscriber.cursor);
    if (waiting?.delete(subscriber) === true && waiting.size === 0) this.#waiting.delete(subscriber.cursor);
    this.#checkEmpty();
  }

  #begin(): void {
    let room = MAX_BEGINNINGS;
    for (const stream of this.#streams) if (!stream.source.isCaughtUp && !stream.isStalled) room--;
    for (const [cursor, subscribers] of this.#waiting) {
      if (room-- <= 0) return;
      this.#waiting.delete(cursor);
      this.#open(cursor, subscribers);
    }
  }

  #open(cursor: string | null, subscribers: ReadonlySet<Subscriber>): void {
    const { open, onSent, toError } = this.#options;
    const stream = new Stream<Event, Source>({
      ...open(cursor),
      toError,
      onSent,
      onRest: (resting) => this.#rest(resting),
      onEmpty: (empty) => this.#ended(empty),
    });
    this.#streams.add(stream);
    this.#main ??= stream;
    for (const subscriber of subscribers) stream.add(subscriber);
    void stream.run();
  }

  /**
   * Joins streams. Only while neither renders: what the main one renders afterwards is read later than
   * anything its new subscribers have been sent, so none of them sees a job go back.
   */
  #rest(stream: Stream<Event, Source>): void {
    // Ended since its source said that there is something.
    if (!this.#streams.has(stream)) return;
    if (stream.source.isCaughtUp) this.#joinStreams(stream);
    this.#begin();
  }

  #joinStreams(stream: Stream<Event, Source>): void {
    // One that is not there yet, or no more, may be so for as long as a slow client likes.
    if (this.#main?.source.isCaughtUp !== true) this.#main = stream;
    let main = this.#main;
    const candidates = stream === main ? this.#streams : [stream];
    for (const candidate of candidates) {
      if (candidate === main || !candidate.isResting || !main.isResting) continue;
      if (main.source.covers(candidate.source)) candidate.moveTo(main);
      else if (candidate.source.covers(main.source)) {
        // The other way round: the newer one has read further than the tail has come, and will not be brought
        // that again.
        main.moveTo(candidate);
        main = candidate;
        this.#main = main;
      }
    }
  }

  #ended(stream: Stream<Event, Source>): void {
    this.#streams.delete(stream);
    if (this.#main === stream) this.#main = this.#streams.values().next().value ?? null;
    this.#begin();
    this.#checkEmpty();
  }

  #checkEmpty(): void {
    if (this.#streams.size === 0 && this.#waiting.size === 0) this.#options.onEmpty();
  }
}
