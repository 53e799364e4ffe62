import { DomainError, toError } from '../../core/errors.ts';
import type { Sink } from '../../fanout/frame.ts';
import type { Subscriber, SubscriberHost } from '../../fanout/subscriber.ts';
import type { Identity } from '../../identity/identity.ts';
import type { WatchedIdentity } from '../../identity/identity-watch.ts';
import { maskError } from '../mask-error.ts';
import type { AskedTopic } from './asked-topic.ts';

/** What a subscription field's topic was asked for, and by whom. */
export interface LiveRequest {
  readonly asked: AskedTopic;
  /** Cursor to go on from; null begins with the state. */
  readonly after: string | null;
  readonly identity: Identity;
}

/**
 * One client's subscription to a topic. It holds nothing before `start` nor after `stop`, and meanwhile
 * little: what was asked is its group's. Its last result says why it ended, where that was not the natural
 * end.
 */
export class LiveSubscription implements SubscriberHost {
  readonly sink: Sink;
  readonly #after: string | null;
  /** Null before the start, where it is watched here. */
  #watched: WatchedIdentity | null;
  /** It is watched here, and not by the socket that it came by. */
  readonly #isOwnWatch: boolean;
  #asked: AskedTopic;
  #identity: Identity;
  #subscriber: Subscriber | null = null;
  #isOver = false;

  /**
   * @param watched a watch that ends the sink with the credential, where there is one already; null: it is
   *   watched here
   */
  constructor({ asked, after, identity }: LiveRequest, sink: Sink, watched: WatchedIdentity | null) {
    this.sink = sink;
    this.#asked = asked;
    this.#after = after;
    this.#identity = identity;
    this.#isOwnWatch = watched === null;
    this.#watched = watched;
  }

  /** From now on the sink receives. May be called any number of times. */
  start(): void {
    if (this.#subscriber !== null || this.#isOver) return;
    const { fanout, identityWatch } = this.#asked.deps;
    this.#watched ??= identityWatch.watch(this.#identity, (why) => this.#end(why));
    try {
      this.#subscriber = fanout.admit(this, this.#identity.actor.tenantId, this.#after);
      this.rejoin(this.#subscriber);
    } catch (error) {
      this.ended(toError(error));
    }
  }

  /** The client has left. */
  stop(): void {
    const subscriber = this.#subscriber;
    this.#release();
    subscriber?.drop();
    this.sink.end(null);
  }

  // What its subscriber asks --------------------------------------------------------------------------------

  mayReceive(nowMs: number): boolean {
    const { expiresAt } = this.#current().actor;
    return expiresAt === null || nowMs < expiresAt.getTime();
  }

  isGroupCurrent(): boolean {
    return this.#current() === this.#identity;
  }

  rejoin(subscriber: Subscriber): void {
    const identity = this.#current();
    if (identity !== this.#identity) this.#asked = this.#asked.askedBy(identity);
    this.#identity = identity;
    // The group's own, which is the same but for where it began: mine need not be kept.
    this.#asked = this.#asked.deps.fanout.join(subscriber, this.#asked);
  }

  ended(why: Error | null): void {
    this.#release();
    const { metrics, log } = this.#asked.deps;
    if (why !== null) {
      if (why instanceof DomainError && why.code === 'SlowConsumer') metrics.slowClosed();
      this.sink.send(JSON.stringify({ data: null, errors: [maskError(why, log)] }));
    }
    this.sink.end(why);
  }

  #current(): Identity {
    return this.#watched?.current() ?? this.#identity;
  }

  #end(why: DomainError): void {
    if (this.#subscriber !== null) this.#subscriber.end(why);
    else if (!this.#isOver) this.ended(why);
  }

  #release(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#isOwnWatch) this.#watched?.unwatch();
    if (this.#subscriber !== null) this.#asked.deps.fanout.release(this.#identity.actor.tenantId);
  }
}
