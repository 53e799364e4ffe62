import { createOutageLog, type OutageLog } from '../db/outage-log.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Change } from './change.ts';
import type { FeedSubscriber, SubscriptionHost } from './feed-subscriber.ts';
import type { Position } from './position.ts';
import type { ResyncReason } from './resume.ts';
import { Semaphore } from './semaphore.ts';
import type { StateReader } from './state-reader.ts';
import { MemberIndex } from './subscriber-index.ts';
import type { Tailer, TailSink } from './tailer.ts';

/** Reads for single subscribers that run at a time; they share the pool with everything else. */
const READS_AT_A_TIME = 4;

/** Hands the tail to the subscriptions of each tenant. Knows no transport. */
export class Hub implements TailSink, SubscriptionHost {
  readonly states: StateReader;
  readonly reads = new Semaphore(READS_AT_A_TIME);
  readonly #tailer: () => Tailer;
  readonly #outages: OutageLog;
  readonly #members = new Set<FeedSubscriber>();
  readonly #attached = new MemberIndex();
  /** Members that kept a change of the range being handed out. */
  readonly #touched = new Set<FeedSubscriber>();
  #isClosed = false;

  constructor(options: { states: StateReader; log: Logger; tailer: () => Tailer }) {
    this.states = options.states;
    this.#tailer = options.tailer;
    this.#outages = createOutageLog(options.log, 'feed state');
  }

  /** Subscriptions under way. */
  get memberCount(): number {
    return this.#members.size;
  }

  get position(): Position {
    const { position } = this.#tailer();
    if (position === null) throw new TypeError('The feed has no position while nobody watches');
    return position;
  }

  get heardAtMs(): number {
    return this.#tailer().heardAtMs;
  }

  join(subscriber: FeedSubscriber): void {
    if (this.#isClosed) {
      subscriber.end();
      return;
    }
    this.#members.add(subscriber);
    this.#tailer().want(true);
  }

  leave(subscriber: FeedSubscriber): void {
    this.detach(subscriber);
    this.#members.delete(subscriber);
    if (this.#members.size === 0) this.#tailer().want(false);
  }

  async attach(subscriber: FeedSubscriber): Promise<void> {
    await this.#tailer().positioned();
    if (this.#members.has(subscriber)) this.#attached.add(subscriber);
  }

  detach(subscriber: FeedSubscriber): void {
    this.#touched.delete(subscriber);
    this.#attached.delete(subscriber);
  }

  readFailed(error: Error): void {
    this.#outages.failed(error);
  }

  readSucceeded(): void {
    this.#outages.recovered();
  }

  changed(changes: readonly Change[], before: Position): void {
    for (const change of changes) {
      this.#attached.dispatch(change, (subscriber) => {
        if (subscriber.accept(change, before)) this.#touched.add(subscriber);
      });
    }
  }

  reached(): void {
    for (const subscriber of this.#touched) subscriber.rangeEnded();
    this.#touched.clear();
  }

  restarted(): void {
    this.#touched.clear();
    for (const subscriber of this.#attached.all()) subscriber.restarted();
  }

  lost(reason: ResyncReason): void {
    this.#touched.clear();
    for (const subscriber of this.#attached.all()) subscriber.lost(reason);
  }

  /** Lets idle subscriptions send a later cursor. */
  refresh(olderThanMs: number): void {
    for (const subscriber of this.#members) subscriber.refresh(olderThanMs);
  }

  /** Ends every subscription, and at once each that begins later. */
  close(): void {
    this.#isClosed = true;
    for (const subscriber of [...this.#members]) subscriber.end();
  }
}
