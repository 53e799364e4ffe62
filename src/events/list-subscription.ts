import { toError } from '../core/errors.ts';
import { backoffMs } from '../db/backoff.ts';
import { classifyError } from '../db/retryable.ts';
import type { Change } from './change.ts';
import type { FeedSubscriber, SubscriptionHost } from './feed-subscriber.ts';
import { IterableSource } from './iterable-source.ts';
import type { ListKind, Missed, Trace } from './list-kind.ts';
import type { ListSubscriptionOptions } from './list-options.ts';
import { type Phase, RestartedMeanwhile } from './list-phase.ts';
import { furtherOf, type PageStart, type Position } from './position.ts';
import type { ResyncReason } from './resume.ts';
import { isVisible } from './snapshot.ts';
import { type ListEvent, SubscriptionOutput } from './subscription-output.ts';
import { Wake } from './wake.ts';

/**
 * One subscriber's stream of a list. It keeps no queue of events, only what changed since the last one taken,
 * and not even that when they are too many: then it reads the difference, as a client does that comes back
 * with its cursor. Nothing is held before the first `next()` and nothing after `return()`.
 */
export class ListSubscription<T extends Trace, Event>
  extends IterableSource<ListEvent<Event>>
  implements FeedSubscriber
{
  readonly tenantId: string;
  readonly jobIds: readonly string[] | null;
  readonly #host: SubscriptionHost;
  readonly #kind: ListKind<T, Event>;
  readonly #options: ListSubscriptionOptions<T, Event>;
  readonly #out: SubscriptionOutput<T, Event>;
  readonly #wake = new Wake();
  readonly #ended = Promise.withResolvers<void>();
  #phase: Phase;
  /** Phase to go back to when joining fails. */
  #retryPhase: 'fresh' | 'behind' = 'fresh';
  /** The state was read here, ahead of the tail: what it shows must not come again. */
  #floor: Position | null = null;
  #page: PageStart | null = null;
  #failures = 0;
  #isJoined = false;
  #heardAtMs: number | null = null;

  constructor(options: ListSubscriptionOptions<T, Event>) {
    super();
    this.#options = options;
    this.#host = options.host;
    this.#kind = options.kind;
    this.tenantId = options.kind.tenantId;
    this.jobIds = options.kind.jobIds;
    const { after } = options;
    this.#out = new SubscriptionOutput(options.kind, after?.position ?? null);
    this.#page = after?.page ?? null;
    if (after === null) this.#phase = 'fresh';
    else this.#phase = after.page === null ? 'behind' : 'paging';
  }

  end(): void {
    this.#phase = 'ended';
    this.#host.leave(this);
    this.#out.clear();
    this.#ended.resolve();
    this.#wake.signal();
  }

  // What those who share it take ----------------------------------------------------------------------------

  async ready(): Promise<boolean> {
    if (!this.#isJoined && this.#phase !== 'ended') {
      this.#isJoined = true;
      this.#host.join(this);
    }
    while (this.#phase !== 'ended') {
      if (this.#out.hasEvent(() => this.#standing())) return true;
      // `end` signals too. A race with the end for each wait would leave a reaction behind at each of them.
      if (this.#phase === 'live') await this.#wake.wait();
      // A read that is under way when the stream ends finishes by itself and finds nobody to attach.
      else await Promise.race([this.#load(), this.#ended.promise]);
    }
    return false;
  }

  take(limit: number): ListEvent<Event>[] {
    const events: ListEvent<Event>[] = [];
    while (events.length < limit) {
      const event = this.#out.take(() => this.#standing());
      if (event === null) break;
      events.push(event);
    }
    if (this.#out.pending.size === 0) this.#heardAtMs = null;
    return events;
  }

  get heardAtMs(): number | null {
    return this.#heardAtMs;
  }

  get isCaughtUp(): boolean {
    return this.#phase === 'live' && this.#out.isBegun;
  }

  covers(other: this): boolean {
    if (!this.isCaughtUp || !other.isCaughtUp) return false;
    // What was read here ahead of the tail does not come again, and other subscribers have not had it.
    const reached = other.#standing();
    if (reached !== null && furtherOf(this.#floor, reached) !== reached) return false;
    return this.#out.pending.includes(other.#out.pending);
  }

  adopt(other: this): void {
    this.#out.adopt(other.#out);
  }

  /** The position of a live stream with nothing pending: the tail's, or a later one that was read. */
  #standing(): Position | null {
    return this.#phase === 'live' ? furtherOf(this.#floor, this.#host.position) : null;
  }

  // What the tail brings ------------------------------------------------------------------------------------

  accept(change: Change, before: Position): boolean {
    const own = this.#kind.traceOf(change);
    const trace = own ?? this.#workOn(change);
    if (trace === null) return false;
    if (this.#floor !== null) {
      if (furtherOf(this.#floor, before) === before) this.#floor = null;
      else if (isVisible(this.#floor.snapshot, change.xid)) return false;
    }
    const { pending } = this.#out;
    // It is shown with what waits already, which may be newer than what was sent last.
    if (own === null && pending.has(trace)) return true;
    // While joining it is not known yet what the consumer has.
    if (this.#phase === 'live' && !this.#out.wants(trace)) return false;
    if (pending.size >= this.#options.maxPending && !pending.has(trace)) {
      this.#fallBehind();
      return false;
    }
    if (this.#phase === 'live' && pending.size === 0) this.#out.base = furtherOf(this.#floor, before);
    this.#heardAtMs ??= this.#host.heardAtMs;
    pending.put(trace);
    this.#wake.signal();
    return true;
  }

  /**
   * A change of work on something that the consumer has: that thing, as it was sent last. While joining
   * nobody needs it: what is being worked on comes with what is read.
   */
  #workOn(change: Change): T | null {
    if (this.#phase !== 'live') return null;
    const id = this.#kind.workedOn(change);
    const known = id === null ? null : this.#out.lastOf(id);
    return known === null ? null : { ...known, xid: change.xid };
  }

  rangeEnded(): void {
    const position = this.#standing();
    if (position === null) return;
    if (this.#out.pending.size > 0) this.#out.pending.mark(position);
    // Taken while the range was still being read: its last cursor is only known now.
    else if (this.#out.oweCheckpoint()) this.#wake.signal();
  }

  restarted(): void {
    if (this.#floor !== null && this.#floor.server.life !== this.#host.position.server.life)
      this.#floor = null;
  }

  lost(reason: ResyncReason): void {
    this.#startAfresh(reason);
  }

  refresh(olderThanMs: number): void {
    if (this.#phase === 'live' && this.#out.oweCheckpoint(olderThanMs)) this.#wake.signal();
  }

  #fallBehind(): void {
    this.#host.detach(this);
    this.#out.pending.clear();
    this.#phase = this.#phase === 'joining' ? this.#retryPhase : 'behind';
    this.#wake.signal();
  }

  #startAfresh(reason: ResyncReason): void {
    this.#host.detach(this);
    this.#out.resync(reason);
    this.#phase = 'fresh';
    this.#floor = null;
    this.#wake.signal();
  }

  // What it reads itself ------------------------------------------------------------------------------------

  async #load(): Promise<void> {
    try {
      await this.#host.reads.run(async () => {
        if (this.#phase === 'fresh') await this.#loadInitial();
        else if (this.#phase === 'paging') await this.#loadPage();
        else if (this.#phase === 'behind') await this.#catchUp();
      });
      this.#failures = 0;
      this.#host.readSucceeded();
    } catch (error) {
      if (this.#phase === 'ended') return;
      if (!mayPass(error)) throw error;
      if (this.#phase === 'joining') this.#fallBehind();
      this.#host.readFailed(toError(error));
      this.#wake.reset();
      await this.#wake.wait(backoffMs(++this.#failures));
    }
  }

  async #loadInitial(): Promise<void> {
    await this.#attach('fresh');
    const state = await this.#kind.initial();
    if (!this.#mayJoin(state.position)) return;
    this.#out.begin(state);
    this.#goLive(state.position, []);
  }

  async #catchUp(): Promise<void> {
    await this.#attach('behind');
    const missed = await this.#missed(null);
    if (missed.kind === 'resync') {
      if (this.#phase === 'joining') this.#startAfresh(missed.reason);
      return;
    }
    if (!this.#mayJoin(missed.upTo)) return;
    if (missed.next === null) {
      this.#goLive(missed.upTo, missed.changes);
      return;
    }
    this.#fallBehind();
    this.#phase = 'paging';
    this.#page = missed.next;
    for (const change of missed.changes) this.#out.pending.put(change, missed.upTo);
  }

  async #loadPage(): Promise<void> {
    const missed = await this.#missed(this.#page);
    if (this.#phase !== 'paging') return;
    if (missed.kind === 'resync') {
      this.#startAfresh(missed.reason);
      return;
    }
    for (const change of missed.changes) this.#out.pending.put(change, missed.upTo);
    this.#page = missed.next;
    if (missed.next !== null) return;
    this.#phase = 'behind';
    if (missed.changes.length > 0) this.#out.pending.mark(missed.upTo);
    else this.#out.base = missed.upTo;
  }

  #missed(start: PageStart | null): Promise<Missed<T>> {
    const { base } = this.#out;
    if (base === null) throw new TypeError('Only a stream that stands somewhere can have missed something');
    return this.#kind.missed(base, start, this.#options.pageSize);
  }

  /** The tail first, then the read: what is committed in between comes twice rather than never. */
  async #attach(retryPhase: 'fresh' | 'behind'): Promise<void> {
    this.#retryPhase = retryPhase;
    this.#floor = null;
    await this.#host.attach(this);
    if (this.#phase === retryPhase) this.#phase = 'joining';
  }

  /**
   * False when the stream ended, overflowed or was thrown back meanwhile.
   * @throws RestartedMeanwhile
   */
  #mayJoin(read: Position): boolean {
    if (this.#phase !== 'joining') return false;
    if (read.server.life === this.#host.position.server.life) return true;
    throw new RestartedMeanwhile('the database was restarted while a subscriber joined');
  }

  #goLive(position: Position, changes: readonly T[]): void {
    const { pending } = this.#out;
    const aside = pending.changes();
    pending.clear();
    for (const change of changes) pending.put(change, position);
    if (changes.length > 0) pending.mark(position);
    else this.#out.base = position;
    for (const change of aside) {
      if (!isVisible(position.snapshot, change.xid)) pending.put(change);
    }
    this.#floor = position;
    this.#phase = 'live';
  }
}

/** True for outages, which are waited out. Anything else would fail again on every try. */
function mayPass(error: unknown): boolean {
  return error instanceof RestartedMeanwhile || classifyError(error) !== 'fatal';
}
