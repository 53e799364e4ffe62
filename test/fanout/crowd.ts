import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { FeedEvent } from '../../src/events/change.ts';
import { FRESH_CURSOR } from '../../src/events/cursor.ts';
import type { JobFilter } from '../../src/events/filter.ts';
import type { JobSubscription } from '../../src/events/job-subscription.ts';
import type { Fanout, Question } from '../../src/fanout/fanout.ts';
import type { Frame, Sink } from '../../src/fanout/frame.ts';
import type { Opened } from '../../src/fanout/group.ts';
import type { Subscriber, SubscriberHost } from '../../src/fanout/subscriber.ts';
import type { Stage } from '../events/stage.ts';

/**
 * The jobs of a filter as they are when they are rendered, read from the database on a connection of its own.
 */
export class JobQuestion implements Question<FeedEvent, JobSubscription> {
  readonly key: string;
  readonly #stage: Stage;
  readonly #filter: JobFilter;
  readonly #reader: pg.Pool;
  /** Batches rendered, and events in them. */
  batches = 0;
  events = 0;
  /** How long a rendering takes at most; at random. */
  maxRenderMs = 0;

  constructor(stage: Stage, filter: JobFilter) {
    this.#stage = stage;
    this.#filter = filter;
    this.key = JSON.stringify(filter);
    this.#reader = new pg.Pool({ connectionString: stage.url, max: 4 });
  }

  open(after: string | null): Opened<FeedEvent, JobSubscription> {
    return {
      source: this.#stage.feed.subscribe(this.#filter, after),
      render: (events) => this.#render(events),
    };
  }

  toError(error: unknown): Error {
    return error as Error;
  }

  close(): Promise<void> {
    return this.#reader.end();
  }

  async #render(events: readonly FeedEvent[]): Promise<Frame[]> {
    this.batches++;
    this.events += events.length;
    const ids = events.flatMap((event) => (event.kind === 'job' ? [event.change.jobId] : []));
    const { rows } = await this.#reader.query('select id, version from millrace.jobs where id = any ($1)', [
      ids,
    ]);
    const versions = new Map(rows.map((row) => [row.id, row.version]));
    if (this.maxRenderMs > 0) await sleep(Math.random() * this.maxRenderMs);
    return events.map((event) => {
      const cursor = event.cursor === FRESH_CURSOR ? null : event.cursor;
      const jobId = event.kind === 'job' ? event.change.jobId : 'jobId' in event ? event.jobId : null;
      const shown = { kind: event.kind, jobId, version: jobId === null ? null : versions.get(jobId) };
      return { text: JSON.stringify(shown), cursor, isKept: cursor === null, isLast: false };
    });
  }
}

export interface Shown {
  readonly kind: FeedEvent['kind'];
  readonly jobId: string | null;
  readonly version: string | null;
}

/** A client: what it takes, how fast, and what it knows by then. It knows nothing but what it was sent. */
export class Client implements Sink, SubscriberHost {
  readonly sink: Sink = this;
  readonly shown: Shown[] = [];
  readonly known = new Map<string, bigint>();
  readonly wentBack: string[] = [];
  readonly #fanout: Fanout;
  readonly #question: Question<FeedEvent, JobSubscription>;
  readonly #room: number;
  #unread: string[] = [];
  #onDrained: (() => void)[] = [];
  #subscriber: Subscriber | null = null;
  isReading = true;
  end: (why: Error | null) => void = () => undefined;
  why: Error | null | undefined;

  /** @param room frames that may be unread before it is full */
  constructor(fanout: Fanout, question: Question<FeedEvent, JobSubscription>, room = 4) {
    this.#fanout = fanout;
    this.#question = question;
    this.#room = room;
  }

  get unreadCount(): number {
    return this.#unread.length;
  }

  get cursor(): string | null {
    return this.#subscriber?.cursor ?? null;
  }

  start(after: string | null = null): void {
    this.#unread = [];
    this.#subscriber = this.#fanout.admit(this, 'tenant', after);
    this.rejoin(this.#subscriber);
  }

  /** Leaves without a word. What it has not read is lost to it. @returns where it can go on */
  cut(): string | null {
    const { cursor } = this;
    this.#subscriber?.drop();
    this.#subscriber = null;
    this.#fanout.release('tenant');
    this.#onDrained = [];
    return cursor;
  }

  /** Takes what has been sent. */
  read(): void {
    for (const text of this.#unread.splice(0)) this.#take(JSON.parse(text));
    for (const callback of this.#onDrained.splice(0)) callback();
  }

  get isFull(): boolean {
    return this.#unread.length >= this.#room;
  }

  send(text: string): void {
    this.#unread.push(text);
    if (this.isReading) this.read();
  }

  whenDrained(callback: () => void): void {
    this.#onDrained.push(callback);
  }

  mayReceive(): boolean {
    return true;
  }

  isGroupCurrent(): boolean {
    return true;
  }

  rejoin(subscriber: Subscriber): void {
    this.#fanout.join(subscriber, this.#question as Question<unknown, never>);
  }

  ended(why: Error | null): void {
    this.why = why;
    this.#fanout.release('tenant');
  }

  #take(shown: Shown): void {
    this.shown.push(shown);
    if (shown.kind === 'resync') this.known.clear();
    if (shown.kind !== 'job' || shown.jobId === null || shown.version === null) return;
    const version = BigInt(shown.version);
    if (version < (this.known.get(shown.jobId) ?? 0n)) this.wentBack.push(shown.jobId);
    this.known.set(shown.jobId, version);
  }
}
