import type { Change } from './change.ts';
import type { PageStart, Position } from './position.ts';
import type { ResyncReason } from './resume.ts';

/** A list that can be followed: `jobs`, or a domain's own. A cursor is of one of them. */
export type ListName = string;

/** That one thing changed, or was deleted. */
export interface Trace {
  readonly kind: string;
  readonly tenantId: string;
  /** The transaction that made the change. */
  readonly xid: bigint;
}

/** The state that a fresh subscription starts from. */
export interface InitialState<T extends Trace> {
  readonly position: Position;
  /** Newest first. */
  readonly found: readonly T[];
  /** False when the filter's limit cut it off. */
  readonly complete: boolean;
}

export type Missed<T extends Trace> =
  | { readonly kind: 'resync'; readonly reason: ResyncReason }
  | {
      readonly kind: 'page';
      readonly changes: readonly T[];
      readonly upTo: Position;
      /** Null after the last page: everything up to `upTo` has been read. */
      readonly next: PageStart | null;
    };

/** What a change means to a subscriber: it has the thing now, has it no more, or it was deleted. */
export type Verdict = 'in' | 'left' | 'removed';

/** What lists of one kind of thing have of their own, with the filter of one subscription. */
export interface ListKind<T extends Trace, Event> {
  readonly name: ListName;
  readonly tenantId: string;
  /** The only jobs whose changes matter; null when others may. */
  readonly jobIds: readonly string[] | null;
  /**
   * Whether the thing has what is asked for of what may change about it, as its status; null: nothing of that
   * is asked for.
   */
  readonly isIn: ((trace: T) => boolean) | null;
  /** Jobs about a thing, and their progress, count as changes of it. */
  readonly followsWork: boolean;
  idOf(trace: T): string;
  isDeletion(trace: T): boolean;
  /** The change, if it is one of such a thing and what never changes about it is what the filter asks for. */
  traceOf(change: Change): T | null;
  /**
   * The id of the thing that the change is work on, a job about it or that job's progress; null where that is
   * not followed.
   */
  workedOn(change: Change): string | null;
  /**
   * Things made since then, ms since 1970, are in a complete initial state, or are not what the filter asks
   * for.
   */
  knownSinceMs(position: Position): number;
  event(verdict: Verdict, trace: T, cursor: string): Event;
  initial(): Promise<InitialState<T>>;
  /** What was missed since `since`, a page of at most `pageSize`. */
  missed(since: Position, start: PageStart | null, pageSize: number): Promise<Missed<T>>;
}
