import type { FeedMark } from './change.ts';
import { encodeCursor, encodePageCursor, FRESH_CURSOR } from './cursor.ts';
import { FilterMembers } from './filter-members.ts';
import type { InitialState, ListKind, Trace, Verdict } from './list-kind.ts';
import { Pending } from './pending.ts';
import type { PageStart, Position } from './position.ts';
import type { ResyncReason } from './resume.ts';

export type ListEvent<Event> = Event | FeedMark;

/** Things whose work is followed are remembered, this many of them. */
const MAX_KNOWN = 10_000;

/**
 * The end of a subscription that its consumer takes from: turns what is pending into events and gives them
 * their cursors.
 */
export class SubscriptionOutput<T extends Trace, Event> {
  readonly pending: Pending<T>;
  /** Everything that it shows has been taken, and `ready` too; null before there was any such state. */
  base: Position | null;
  readonly #kind: ListKind<T, Event>;
  readonly #members: FilterMembers<T> | null;
  /** Events that are ready as they are: the initial state and its end, or a resync. */
  #front: ListEvent<Event>[] = [];
  /** What the consumer has, as it was sent last, by id. */
  readonly #known = new Map<string, T>();
  /** The last cursor sent is older than what has been delivered. */
  #owesCheckpoint = false;
  /** A subscriber that resumes gets a checkpoint when it has caught up, even if nothing had happened. */
  #isCatchingUp: boolean;
  #sentAtMs = Date.now();
  /** How far the last change taken is on the way from `base` to the next position, while catching up. */
  #page: PageStart | null = null;

  constructor(kind: ListKind<T, Event>, after: Position | null) {
    this.#kind = kind;
    this.pending = new Pending(kind.idOf);
    this.#members = kind.isIn === null ? null : new FilterMembers(kind.isIn, kind.idOf);
    this.base = after;
    this.#isCatchingUp = after !== null;
  }

  /** True when `take` may have something to give. */
  hasEvent(live: () => Position | null): boolean {
    if (this.#front.length > 0 || this.pending.size > 0) return true;
    return (this.#owesCheckpoint || this.#isCatchingUp) && live() !== null;
  }

  /** What the stream began with, an initial state or what had been missed, has been taken whole. */
  get isBegun(): boolean {
    return this.#front.length === 0 && !this.#isCatchingUp;
  }

  /** The takers of another output take from here from now on: what they were sent is reported as left. */
  adopt(other: SubscriptionOutput<T, Event>): void {
    if (other.#members !== null) this.#members?.adopt(other.#members);
    for (const [id, trace] of other.#known) if (!this.#known.has(id)) this.#know(id, trace);
  }

  /**
   * The next event, or null when there is none now.
   * @param live where a stream that follows the tail stands once nothing is pending; null while it does not
   *   follow
   */
  take(live: () => Position | null): ListEvent<Event> | null {
    const ready = this.#front.shift();
    if (ready !== undefined) return ready;
    for (let taken = this.pending.take(); taken !== undefined; taken = this.pending.take()) {
      const isLast = this.pending.size === 0;
      const reached = (isLast ? live() : null) ?? taken.reached;
      this.base = reached ?? this.base;
      this.#page =
        reached === null && taken.upTo !== null
          ? { upTo: taken.upTo, afterId: this.#kind.idOf(taken.change) }
          : null;
      const event = this.#eventOf(taken.change);
      if (event === null) continue;
      this.#owesCheckpoint = !isLast;
      this.#sentAtMs = Date.now();
      return event;
    }
    const position = this.#owesCheckpoint || this.#isCatchingUp ? live() : null;
    if (position === null) return null;
    this.base = position;
    this.#page = null;
    this.#owesCheckpoint = false;
    this.#isCatchingUp = false;
    this.#sentAtMs = Date.now();
    return { kind: 'checkpoint', cursor: this.#cursor() };
  }

  /**
   * False for a change that the consumer need not get: the thing does not have, and never had, what it
   * asked for.
   */
  wants(change: T): boolean {
    if (this.#members === null || this.#kind.isDeletion(change) || this.pending.has(change)) return true;
    return this.#members.judge(change) !== 'outside';
  }

  /** The initial state comes next, then `ready`. */
  begin(state: InitialState<T>): void {
    this.#known.clear();
    this.#members?.forget();
    if (state.complete) this.#members?.startFrom(this.#kind.knownSinceMs(state.position));
    for (const change of state.found) this.#front.push(this.#record('in', change, FRESH_CURSOR));
    this.#front.push({
      kind: 'ready',
      complete: state.complete,
      cursor: encodeCursor(state.position, this.#kind.name),
    });
  }

  /** Drops everything; the consumer hears why, and that it must forget what it has. */
  resync(reason: ResyncReason): void {
    this.clear();
    this.#front = [{ kind: 'resync', reason, cursor: null }];
    this.base = null;
    this.#page = null;
    this.#members?.forget();
    this.#known.clear();
    this.#owesCheckpoint = false;
    this.#isCatchingUp = false;
  }

  /** Makes a checkpoint due: always, or only if no cursor has been sent for this long. */
  oweCheckpoint(olderThanMs = 0): boolean {
    if (Date.now() - this.#sentAtMs < olderThanMs) return false;
    this.#owesCheckpoint = true;
    return true;
  }

  clear(): void {
    this.pending.clear();
    this.#front = [];
  }

  /**
   * What the consumer has under this id, as it was sent last; null when it has no such thing, or nobody
   * knows.
   */
  lastOf(id: string): T | null {
    return this.#known.get(id) ?? null;
  }

  #eventOf(change: T): Event | null {
    if (this.#kind.isDeletion(change)) return this.#record('removed', change, this.#cursor());
    const verdict = this.#members?.judge(change) ?? 'in';
    return verdict === 'outside' ? null : this.#record(verdict, change, this.#cursor());
  }

  /** The event, and note that the consumer has had it. */
  #record(verdict: Verdict, change: T, cursor: string): Event {
    const id = this.#kind.idOf(change);
    this.#members?.record(id, verdict === 'in' ? 'in' : 'left');
    if (verdict === 'in') this.#know(id, change);
    else this.#known.delete(id);
    return this.#kind.event(verdict, change, cursor);
  }

  #know(id: string, change: T): void {
    if (!this.#kind.followsWork) return;
    if (this.#known.size < MAX_KNOWN || this.#known.has(id)) this.#known.set(id, change);
  }

  #cursor(): string {
    if (this.base === null) return FRESH_CURSOR;
    const { name } = this.#kind;
    return this.#page === null
      ? encodeCursor(this.base, name)
      : encodePageCursor(this.base, this.#page, name);
  }
}
