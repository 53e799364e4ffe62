import type { FeedEvent, JobChange, JobRemoval } from './change.ts';
import { encodeCursor, encodePageCursor, FRESH_CURSOR } from './cursor.ts';
import type { CheckedFilter } from './filter.ts';
import { FilterMembers } from './filter-members.ts';
import { Pending } from './pending.ts';
import type { PageStart, Position } from './position.ts';
import type { ResyncReason } from './resume.ts';
import type { InitialState } from './state-reader.ts';

/** The end of a subscription that its consumer takes from: turns what is pending into events and gives them their cursors. */
export class Outlet {
  readonly pending = new Pending();
  /** Everything that it shows has been taken, and `ready` too; null before there was any such state. */
  base: Position | null;
  readonly #filter: CheckedFilter;
  readonly #members: FilterMembers | null;
  /** Events that are ready as they are: the initial state and its end, or a resync. */
  #front: FeedEvent[] = [];
  /** The last cursor sent is older than what has been delivered. */
  #owesCheckpoint = false;
  /** Whoever resumes is told by a checkpoint when it has caught up, even if nothing had happened. */
  #isCatchingUp: boolean;
  #sentAtMs = Date.now();
  /** How far the last change taken is on the way from `base` to the next position, while catching up. */
  #page: PageStart | null = null;

  constructor(filter: CheckedFilter, after: Position | null) {
    this.#filter = filter;
    this.#members = filter.statuses === null && filter.tags === null ? null : new FilterMembers(filter);
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

  /** The takers of another outlet take from here from now on: jobs that they were told of are told to have left. */
  adopt(other: Outlet): void {
    if (other.#members !== null) this.#members?.adopt(other.#members);
  }

  /**
   * The next event, or null when there is none now.
   * @param live where a stream that follows the tail stands once nothing is pending; null while it does not follow
   */
  take(live: () => Position | null): FeedEvent | null {
    const ready = this.#front.shift();
    if (ready !== undefined) return ready;
    for (let taken = this.pending.take(); taken !== undefined; taken = this.pending.take()) {
      const isLast = this.pending.size === 0;
      const reached = (isLast ? live() : null) ?? taken.reached;
      this.base = reached ?? this.base;
      this.#page =
        reached === null && taken.upTo !== null ? { upTo: taken.upTo, afterId: taken.change.jobId } : null;
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

  /** False for a change that the consumer need not hear of: the job does not have, and never had, a status and a tag it asked for. */
  wants(change: JobChange | JobRemoval): boolean {
    if (this.#members === null || change.kind === 'removed' || this.pending.has(change.jobId)) return true;
    return this.#members.judge(change) !== 'outside';
  }

  /** The initial state comes next, then `ready`. */
  begin(state: InitialState): void {
    const { ids, sinceSeconds } = this.#filter;
    this.#members?.forget();
    if (state.complete) {
      const sinceMs = state.position.takenAtMs - sinceSeconds * 1_000;
      this.#members?.startFrom(ids === null ? sinceMs : Number.NEGATIVE_INFINITY);
    }
    for (const change of state.jobs) {
      this.#members?.told(change.jobId, 'in');
      this.#front.push({ kind: 'job', change, cursor: FRESH_CURSOR });
    }
    this.#front.push({ kind: 'ready', complete: state.complete, cursor: encodeCursor(state.position) });
  }

  /** Drops everything; the consumer hears why, and that it must forget what it has. */
  resync(reason: ResyncReason): void {
    this.clear();
    this.#front = [{ kind: 'resync', reason, cursor: null }];
    this.base = null;
    this.#page = null;
    this.#members?.forget();
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

  #eventOf(change: JobChange | JobRemoval): FeedEvent | null {
    const { jobId } = change;
    if (change.kind === 'removed') {
      this.#members?.told(jobId, 'left');
      return { kind: 'jobRemoved', jobId, cursor: this.#cursor() };
    }
    const verdict = this.#members?.judge(change) ?? 'in';
    if (verdict === 'outside') return null;
    this.#members?.told(jobId, verdict);
    if (verdict === 'left') return { kind: 'jobLeft', jobId, cursor: this.#cursor() };
    return { kind: 'job', change, cursor: this.#cursor() };
  }

  #cursor(): string {
    if (this.base === null) return FRESH_CURSOR;
    return this.#page === null ? encodeCursor(this.base) : encodePageCursor(this.base, this.#page);
  }
}
